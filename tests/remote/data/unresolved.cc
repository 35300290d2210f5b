extern "C" int cublasSgemm_v2();
void Multiply() { cublasSgemm_v2(); }
