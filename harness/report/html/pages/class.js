// Sorts, searches and filters the rows of a class's page. It reads what is shown as text, makes no
// markup, and keeps its state in the page's address, behind the '#'. The page is complete without it.
'use strict';
(() => {
  const at = id => document.getElementById(id);
  const table = at('list');
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const controls = [...at('filter').querySelectorAll('input, select')];
  const plain = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const byText = new Intl.Collator(undefined, {numeric: true}).compare;
  const rows = [...body.rows].map((row, place) => {
    const texts = [...row.cells].map(cell => cell.textContent.trim());
    return {row, place, texts, name: plain(texts[0]), lost: (row.dataset.lost || '').split(' ')};
  });

  const numberIn = text => {
    const number = parseFloat(text);
    return Number.isNaN(number) ? -1 : number;
  };

  const compare = (a, b, column) =>
    heads[column].classList.contains('number')
      ? numberIn(a.texts[column]) - numberIn(b.texts[column])
      : byText(a.texts[column], b.texts[column]);

  // The wanted values by the ids of the controls. An empty value matches everything.
  const wanted = () => Object.fromEntries(
    controls.map(one => [one.id, one.type === 'checkbox' ? (one.checked ? '1' : '') : one.value]));

  const fits = (one, want) =>
    plain(want.find).split(/\s+/).every(word => one.name.includes(word)) &&
    (!want.lost || one.lost.includes(want.lost)) &&
    ['result', 'section', 'late', 'open'].every(
      what => !want[what] || one.row.dataset[what] === want[what]);

  const apply = () => {
    const want = wanted();
    const sign = want.down ? -1 : 1;
    const order = (a, b) => (want.order ? compare(a, b, Number(want.order)) : 0) || a.place - b.place;
    body.append(...[...rows].sort((a, b) => sign * order(a, b)).map(one => one.row));
    let shown = 0;
    for (const one of rows) {
      one.row.hidden = !fits(one, want);
      shown += one.row.hidden ? 0 : 1;
    }
    at('shown').textContent = `${shown} of ${rows.length} shown`;
    heads.forEach((head, column) => {
      if (want.order === String(column)) {
        head.setAttribute('aria-sort', want.down ? 'descending' : 'ascending');
      } else {
        head.removeAttribute('aria-sort');
      }
    });
    const state = new URLSearchParams(Object.entries(want).filter(([, value]) => value)).toString();
    if (state || location.hash.includes('=')) history.replaceState(null, '', '#' + state);
  };

  const set = (control, value) => {
    control.value = value;
    control.checked = value === '1';
    if (control.selectedIndex < 0) control.selectedIndex = 0;
  };

  const read = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const one of controls) set(one, state.get(one.id) || '');
    apply();
  };

  // A second click on a column reverses the order. For numbers, the largest come first.
  const sortBy = column => {
    const again = at('order').value === String(column);
    const down = again ? !at('down').checked : heads[column].classList.contains('number');
    set(at('order'), String(column));
    set(at('down'), down ? '1' : '');
    apply();
  };

  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sortBy(column));
    head.append(button);
  });
  for (const one of controls) one.addEventListener('input', apply);
  at('clear').addEventListener('click', () => {
    for (const one of controls) set(one, '');
    apply();
  });
  addEventListener('hashchange', () => {
    if (location.hash.includes('=')) read();
  });
  at('filter').hidden = false;
  read();
})();
