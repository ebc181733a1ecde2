/*
 * A definition that is used where nobody else has one, and that no shared library sees.
 *
 * Linked from archives, a program gets a file of an archive only where something that the file defines is still missing. A
 * definition of that here keeps the file out; where it comes in all the same, its own are used, and nothing is lost but time.
 */
#define REPLACEABLE __attribute__((weak, visibility("hidden")))
