/** Where the scenarios of this package lie, as JSON files. Not for a page: there they are handed over. */
export const scenariosFolder = (): URL => new URL('../scenarios/', import.meta.url)
