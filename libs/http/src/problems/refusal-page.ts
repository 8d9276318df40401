import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The page to which a refusal sends the browser; null if refusals are answered as problems. */
    refusalPage: ((code: string) => string) | null;
  }
}

/**
 * For a route that a browser opens directly. A browser is redirected to the page that explains the refusal. A program, which does not request
 * HTML, gets the problem.
 */
export function explainRefusalsAt(request: FastifyRequest, page: (code: string) => string): void {
  if (/\btext\/html\b/i.test(request.headers.accept ?? '')) request.refusalPage = page;
}
