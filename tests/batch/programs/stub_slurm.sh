#!/bin/sh
# This script replaces sbatch, squeue and scancel, depending on the name by which it is called. It
# runs the tasks of an array on this machine, one after the other. STUB_SLURM is its folder:
# jobs/<array's name>/<task> contains the state of a task, and jobs/<array's name>/arguments the
# arguments of sbatch. If the folder contains a file "down", every command fails with the text of
# that file.
set -eu
folder=${STUB_SLURM:?}
if [ -e "$folder/down" ]; then
  cat "$folder/down" >&2
  exit 1
fi
name='' last='' log='' script=''
for argument; do
  case $argument in
    --job-name=* | --name=*) name=${argument#*=} ;;
    --array=*) last=${argument#*=0-} ;;
    --output=*) log=${argument#*=} ;;
  esac
  script=$argument
done

run_tasks() {
  for task in $(seq 0 "$last"); do
    echo RUNNING >"$folder/jobs/$name/$task"
    state=COMPLETED
    SLURM_ARRAY_TASK_ID=$task sh "$script" >"${log%\%a}$task" 2>&1 || state=FAILED
    echo "$state" >"$folder/jobs/$name/$task"
  done
}

case ${0##*/} in
  sbatch)
    last=${last%%%*}
    mkdir -p "$folder/jobs/$name"
    printf '%s\n' "$@" >"$folder/jobs/$name/arguments"
    for task in $(seq 0 "$last"); do echo PENDING >"$folder/jobs/$name/$task"; done
    # The tasks get a session of their own, so that they continue after the program that submitted
    # them has ended.
    setsid sh -c "echo \$\$ > '$folder/jobs/$name/session'; exec \"\$0\" \"\$@\"" \
      "$folder/bin/run-tasks" "$@" </dev/null >/dev/null 2>&1 &
    # The caller kills the remaining processes of this process group.
    while [ ! -s "$folder/jobs/$name/session" ]; do sleep 0.01; done
    echo 1
    ;;
  run-tasks)
    last=${last%%%*}
    run_tasks
    ;;
  squeue)
    for job in $(echo "$name" | tr , ' '); do
      [ -d "$folder/jobs/$job" ] || continue
      for file in "$folder/jobs/$job"/[0-9]*; do
        echo "$job|1|${file##*/}|$(cat "$file")|node1|None"
      done
    done
    ;;
  scancel)
    session=$(cat "$folder/jobs/$name/session")
    kill -KILL -- "-$session" 2>/dev/null || true
    for file in "$folder/jobs/$name"/[0-9]*; do
      case $(cat "$file") in
        PENDING | RUNNING) echo CANCELLED >"$file" ;;
      esac
    done
    ;;
esac
