#ifndef CGRPC_H
#define CGRPC_H
#endif
