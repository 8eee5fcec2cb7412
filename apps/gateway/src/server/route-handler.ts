/** Answers what a route of one's own is asked; what it throws is answered 500, and logged. */
export type RouteHandler = (request: Request) => Response | Promise<Response>
