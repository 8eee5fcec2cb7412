/** Whether a variable of the environment switches something on (S1): 1, true, yes, on. */
export const saysYes = (value: string | undefined): boolean => /^(1|true|yes|on)$/i.test(value ?? '')
