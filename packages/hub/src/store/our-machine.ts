/** The name of this hub's machine, as an expression in SQL. */
export const OUR_MACHINE = `(SELECT "value" FROM settings WHERE "key" = 'store.machine')`;
