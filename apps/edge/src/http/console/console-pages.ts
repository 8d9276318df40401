import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config, type ObjectStoreConfig } from '@parlance/config';
import { refuse } from '@parlance/decider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ConsoleFile, consoleFolder, ConsoleFiles } from '../../adapters/console-files.ts';
import { MethodNotAllowed } from '../routing/method-not-allowed.ts';
import { acceptedOf } from './accepted-encoding.ts';
import { ARTIFACT_FRAME, artifactFrameHeaders } from './artifact-frame.ts';

const START = '/app/';
const BELOW = '/app/*';
const ROUTES = ['/', '/app', BELOW] as const;

/** The console accepts queries, for example from a link in an e-mail. They do not change the file. */
const FOR_ANYONE = { policy: { access: { to: 'anyone' }, takesQuery: true, streams: false } } as const;

/**
 * Added to the headers of every answer, or replacing them. Nothing may be loaded from another origin, and the page may have no inline
 * script.
 */
const headersFor = (connections: string, frames: string) => ({
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src blob:; connect-src ${connections}; manifest-src 'self'; worker-src 'self'; frame-src ${frames}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(self), geolocation=()',
});

const A_YEAR = 'public, max-age=31536000, immutable';

/** The gateway does not count these requests: one page loads many small files, and many users may share an address. */
export const isForConsole = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  (ROUTES as readonly (string | undefined)[]).includes(url);

/**
 * Serves the web console at /app/ to any client: it has no data of its own, and calls the API like any other client. Its routes are not in
 * the OpenAPI document, because they are for browsers.
 */
@Injectable()
export class ConsolePages implements OnModuleInit {
  /** Null if the console is not built. Tests replace it. */
  files: ConsoleFiles | null = null;

  private readonly headers: Readonly<Record<string, string>>;
  private readonly frameHeaders: Readonly<Record<string, string>>;

  constructor(private readonly config: Config) {
    const { objectStore, uploadOrigin, artifactOrigin, publicBaseUrl } = config;
    const origin = uploadOrigin ?? (objectStore && originOf(objectStore));
    this.headers = headersFor(withSelf(origin), withSelf(artifactOrigin));
    this.frameHeaders = artifactFrameHeaders(artifactOrigin === null ? undefined : new URL(publicBaseUrl).origin);
  }

  async onModuleInit(): Promise<void> {
    const folder = this.config.console ? consoleFolder() : null;
    if (folder !== null) this.files = await ConsoleFiles.readFrom(folder);
  }

  install(instance: FastifyInstance): void {
    if (!this.config.console) return;
    for (const url of ROUTES)
      instance.route({
        method: instance.supportedMethods,
        url,
        exposeHeadRoute: false,
        config: FOR_ANYONE,
        // The request is answered in a hook, so that Fastify does not read the body of a refused request.
        onRequest: async (request, reply) => this.answer(request, reply),
        handler: (_, reply) => reply,
      });
  }

  private answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { method, headers, params, routeOptions } = request;
    reply.headers(this.headers);
    if (method !== 'GET' && method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD');
      throw new MethodNotAllowed();
    }
    if (routeOptions.url !== BELOW) return reply.redirect(START, 302);
    const path = (params as { '*': string })['*'];
    const { artifactOrigin } = this.config;
    if (artifactOrigin !== null) {
      const isThere = headers.host?.toLowerCase() === new URL(artifactOrigin).host;
      if (isThere && path !== ARTIFACT_FRAME) throw noSuchFile();
      if (!isThere && path === ARTIFACT_FRAME) return reply.redirect(`${artifactOrigin}${START}${ARTIFACT_FRAME}`, 302);
    }
    const file = this.fileAt(path);
    if (path === ARTIFACT_FRAME) reply.headers(this.frameHeaders);
    const { encoding, bytes, etag } = acceptedOf(file.representations, headers['accept-encoding'] as string | undefined);
    if (encoding !== null) reply.header('content-encoding', encoding);
    return reply
      .headers({
        'content-type': file.contentType,
        'cache-control': file.isHashed ? A_YEAR : 'no-cache',
        vary: 'Origin, Accept-Encoding',
        etag,
      })
      .send(bytes);
  }

  private fileAt(path: string): ConsoleFile {
    if (this.files === null)
      throw refuse(
        'missing',
        'console_not_built',
        'The web console is not built. Run npm run build -w @parlance/console, and restart the edge.',
      );
    const file = this.files.at(path) ?? (isPage(path) ? this.files.index : undefined);
    if (file === undefined) throw noSuchFile();
    return file;
  }
}

const withSelf = (origin: string | null): string => (origin === null ? "'self'" : `'self' ${origin}`);

const noSuchFile = () => refuse('missing', 'no_such_file', 'The web console has no such file. If Parlance was upgraded, reload the page.');

/** Matches a path whose last segment has an extension. */
const FILE_NAME = /\.[^/]*$/;
/** Characters and segments that some programs treat as a step to another folder. */
const UNCLEAR = /[\\\p{Cc}]|(?:^|\/)\.\.?(?:\/|$)/u;

/** Whether the console may have a page at this path: its pages are made in the browser, and their paths have no extension. */
const isPage = (path: string): boolean => !path.startsWith('assets/') && !FILE_NAME.test(path) && !UNCLEAR.test(path);

/** The origin to which browsers send files: upload addresses point to the object store itself. */
function originOf({ publicEndpoint, endpoint, region, bucket, forcePathStyle }: ObjectStoreConfig): string {
  const { protocol, host } = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  return `${protocol}//${forcePathStyle ? '' : `${bucket}.`}${host}`;
}
