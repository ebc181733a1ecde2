/* What the server's executable, and nothing else, is linked with so that it starts faster. */
#ifndef CSTART_H
#define CSTART_H

/* How many arguments the program was given, its name among them; -1 where that is not known. */
int cstart_argument_count(void);

#endif
