/** As much of the global object, or of a page, as tells where it is. */
export interface Located {
  readonly location?: { readonly href: string }
  readonly document?: { readonly baseURI?: string }
}

/** What a relative URL is relative to, as fetch has it: the address of a frame may be none, such as `about:srcdoc`. */
export const baseUrl = ({ document, location }: Located): string | undefined => document?.baseURI ?? location?.href
