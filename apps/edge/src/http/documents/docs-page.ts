import type { FastifyInstance, FastifyReply } from 'fastify';
import { SwaggerUi, SWAGGER_UI_FILES } from '../../adapters/swagger-ui.ts';

/** Paths are relative, so that the page works below any path prefix of a proxy. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parlance: the API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <noscript>This page needs JavaScript. The same is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Without `validatorUrl` the page would send the document to a validator on the internet. */
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });
`;

/**
 * The content security policy of the page. Swagger UI sets element styles by script, and has images in its stylesheet. All other content
 * comes from this origin.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FOR_ANYONE = { config: { policy: { access: { to: 'anyone' }, takesQuery: false, streams: false } } } as const;
const AN_HOUR = 'public, max-age=3600';

/**
 * The API description for people, at /docs: a page that loads /openapi.json. Its routes are not in a controller, because the OpenAPI
 * document describes only the interface for programs.
 */
export function installDocsPage(instance: FastifyInstance, ui = new SwaggerUi()): void {
  const send = (reply: FastifyReply, type: string, body: string | Buffer, caching: string) =>
    reply.headers({ 'content-type': type, 'cache-control': caching, 'content-security-policy': PAGE_POLICY }).send(body);
  instance.get('/docs', FOR_ANYONE, (_, reply) => send(reply, 'text/html; charset=utf-8', PAGE, 'no-cache'));
  instance.get('/docs/start.js', FOR_ANYONE, (_, reply) => send(reply, 'text/javascript; charset=utf-8', START, AN_HOUR));
  for (const [name, type] of SWAGGER_UI_FILES)
    instance.get(`/docs/${name}`, FOR_ANYONE, async (_, reply) => send(reply, type, await ui.file(name), AN_HOUR));
}
