import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where a refusal sends the browser; null where it is answered as a problem. */
    refusalPage: ((code: string) => string) | null;
  }
}

/**
 * For a route that a browser opens in place of a page. A browser is sent to the page that explains the refusal. Programs, which do not
 * ask for HTML, get the problem.
 */
export function explainRefusalsAt(request: FastifyRequest, page: (code: string) => string): void {
  if (/\btext\/html\b/i.test(request.headers.accept ?? '')) request.refusalPage = page;
}
