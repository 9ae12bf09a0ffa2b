/** The name of this hub's machine, as an SQL expression. */
export const OUR_MACHINE = `(SELECT "value" FROM settings WHERE "key" = 'store.machine')`;
