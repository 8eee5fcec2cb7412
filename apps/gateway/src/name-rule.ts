/** Names of data sources, columns, pipes and parameters. */
export const NAME: RegExp = /^[a-z][a-z0-9_]{0,63}$/

/** What is said of what is none, after its value. */
export const NAME_RULE = 'is not a name: 1 to 64 of a-z, 0-9 and _, a letter first'
