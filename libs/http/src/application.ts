import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Leaving, LEAVING_HEADER } from './leaving.ts';
import { closeUnused } from './unused-connections.ts';
import { isDeepStrictEqual } from 'node:util';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { type Refusal, refuse } from '@parlance/decider';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '@parlance/config';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { type AnswerMemory, answerMemoryOf, countAnswers, currentClient } from './answers/answer-memory.ts';
import { HeldBytes, heldByProcess } from './answers/held-bytes.ts';
import { AuditRecorder } from './access/audit-recorder.ts';
import { limitAnswers } from './problems/answer-timeout.ts';
import { brokenRequestAnswers } from './problems/broken-request.ts';
import { type ContextOptions, mark, openContext } from './access/context.hook.ts';
import { Bodies } from './bodies/bodies.ts';
import { limitBodyTime } from './bodies/body-time.ts';
import { holdExpectation } from './bodies/expectation.ts';
import { readJson } from './bodies/json-body.ts';
import { lingerOnRefusedBodies } from './bodies/lingering.ts';
import { answerNotModified } from './routes/not-modified.ts';
import { KeepingResponse } from './kept-headers.ts';
import { problem, ProblemFilter } from './problems/problem.filter.ts';
import { ReadablePaths } from './problems/readable-paths.ts';
import { parseQueryString } from './routes/query.ts';
import { JSON_TYPE, takeBytes, takesBytes } from './bodies/raw-body.ts';
import { takeTexts } from './bodies/text-body.ts';
import type { RoutePolicy } from './routes/route-options.ts';
import { type Route, routesOf } from './routes/routes.ts';
import { RequestPipe } from './bodies/validation.ts';
import { refuseIllFormed } from './routes/well-formed.ts';

export interface HttpApplicationOptions extends ContextOptions {
  readonly logger?: LoggerService | false;
  /** Largest body in bytes, unless a route declares its own limit. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Content types that are read as JSON, in addition to application/json. */
  readonly jsonTypes?: readonly string[];
  /** Time limits in milliseconds for the headers, the whole request and the answer. Defaults: 10 s, 30 s, 30 s. */
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly answerTimeout?: number;
  /** The time limit of requests with `limitBodyElsewhere`. Other requests have `requestTimeout`. Default: no request may use `limitBodyElsewhere`. */
  readonly longestBody?: number;
  /** Bytes of bodies and answers that the application may hold at once. Default: the configured limit, shared with the process's other applications. */
  readonly maxBuffered?: number;
  /**
   * Clients reach the application directly. While it stops, it still answers the requests on connections that it has accepted, because nothing
   * between sends them to another replica. Default: it refuses them.
   */
  readonly facesClients?: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The bodies that are being received. */
    readonly bodies: Bodies;
    /** The answers that are being made or sent. */
    readonly answerMemory: AnswerMemory;
    /** Whether each connection is closed after its answer, because the application is about to stop. Requests are still answered. */
    readonly isLeaving: boolean;
    /** Begins to close connections after their answers. */
    leave(): void;
    /** Whether the application no longer accepts connections. */
    isClosing(): boolean;
    /** The paths at which this application shows the effects of commands. Undefined before its routes are known. */
    readonly readable?: ReadablePaths;
    /** The refusal of routes with `StartsWork`, or null. A service that can be too busy replaces it. */
    refusalOfWork(): Refusal | null;
  }
}

/** Bytes of bodies and answers that a process may hold by default. */
const DEFAULT_MAX_BUFFERED = 64 * 1024 * 1024;

/** How often Node closes connections past their time limit. With its default of 30 s, the 10 s for headers could become 40 s. */
const CHECK_INTERVAL = 1000;

/**
 * Creates the Nest application of a service on Fastify, with problems, validation, context and limits. Without a caller statement, only
 * open routes answer. The application is not initialised yet: call `init()` (one process) or `listen()`.
 * Throws Error if a route takes a body or query that no class declares, or is audited without an `AuditRecorder`.
 */
export async function createHttpApplication(
  module: Type | DynamicModule,
  options: HttpApplicationOptions,
): Promise<NestFastifyApplication> {
  const { bodyLimit = 1024 * 1024, headersTimeout = 10_000, requestTimeout = 30_000, answerTimeout = 30_000, logger } = options;
  const adapter = new FastifyAdapter({
    bodyLimit,
    requestTimeout: options.longestBody ?? requestTimeout,
    keepAliveTimeout: 72_000,
    logger: false,
    trustProxy: false,
    requestIdHeader: false,
    genReqId: () => '',
    return503OnClosing: false,
    // A missing Host header is answered with a problem, so Node must not answer it first.
    http: {
      requireHostHeader: false,
      headersTimeout,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL, headersTimeout),
      ServerResponse: KeepingResponse,
    },
    routerOptions: { maxParamLength: 256, querystringParser: parseQueryString },
    clientErrorHandler: brokenRequestAnswers(() => options.headersOf?.(null)),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const requestId = newId();
      mark(reply.raw, requestId, options.headersOf?.(request.raw));
      problem(reply, error, requestId);
    },
  });
  const instance = adapter.getInstance() as unknown as FastifyInstance;
  openContext(instance, options);
  spreadOverTurns(instance);
  refuseWhileClosing(instance, options.facesClients ?? false);
  closeUnused(instance);
  refuseIllFormed(instance);
  refuseWork(instance);
  lingerOnRefusedBodies(instance);
  instance.server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    holdExpectation(req, res);
    instance.routing(req, res);
  });
  if (options.longestBody !== undefined) limitBodyTime(instance.server, requestTimeout);
  takeJsonOnly(instance, options.jsonTypes ?? []);
  applyBodyLimits(instance);
  limitAnswers(instance, answerTimeout);
  answerNotModified(instance);
  countAnswers(instance, () => instance.answerMemory);

  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    ...(logger === undefined ? { bufferLogs: true } : { logger }),
  });
  const held =
    options.maxBuffered === undefined ? heldByProcess(configuredMemory(app) ?? DEFAULT_MAX_BUFFERED) : new HeldBytes(options.maxBuffered);
  instance.decorate('bodies', new Bodies(held)).decorate('answerMemory', answerMemoryOf(held));
  const pipe = new RequestPipe();
  const routes = routesOf(app.get(ModulesContainer));
  for (const route of routes) declarePolicy(route, pipe);
  instance.decorate('readable', new ReadablePaths(routes.filter(({ method }) => method === 'get').map(({ path }) => path)));
  takeTexts(instance, routes);
  takeBytes(instance, routes);
  const isAudited = routes.some(({ policy }) => policy.audited !== undefined || policy.auditedIfUnknown !== undefined);
  return app.useGlobalFilters(new ProblemFilter(isAudited ? app.get(AuditRecorder) : null)).useGlobalPipes(pipe) as NestFastifyApplication;
}

/** Undefined in a test application without configuration. */
function configuredMemory(app: NestFastifyApplication): number | undefined {
  let config: Config;
  try {
    config = app.get(Config, { strict: false });
  } catch {
    return undefined;
  }
  return config.maxBufferedMebibytes * 1024 * 1024;
}

/** Spreads requests that arrive at once over several turns of the event loop, so that timers, streams and other clients' requests run in between. */
function spreadOverTurns(instance: FastifyInstance): void {
  instance.addHook('onRequest', ({ headers, ip }, reply, done) => {
    if (!isTurnOver()) return done();
    // At the edge the caller is not known yet. The credential that will be checked distinguishes clients.
    const client = RequestContext.current()?.caller ? currentClient() : String(headers.authorization ?? headers['x-api-key'] ?? ip);
    void nextTurn(client ?? ip).then(() => {
      // The client has disconnected meanwhile. The next hooks would wait for the close of a connection that is already closed.
      if (reply.raw.destroyed) reply.hijack();
      else done();
    });
  });
}

function refuseWhileClosing(instance: FastifyInstance, facesClients: boolean): void {
  let [leaving, closing] = [false, false];
  instance.decorate('isLeaving', { getter: () => leaving }).decorate('leave', () => void (leaving = true));
  instance.decorate('isClosing', () => closing);
  instance.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  instance.addHook('onRequest', (_, reply, done) => {
    // On the raw response, because an answer of another service replaces the reply's headers.
    if (leaving || closing) reply.raw.setHeader('connection', 'close');
    if (facesClients) return done();
    if (leaving || closing) reply.raw.setHeader(LEAVING_HEADER, (closing ? 'refused' : 'soon') satisfies Leaving);
    if (!closing) return done();
    done(refuse('unavailable', 'shutting_down', 'This server is about to stop. Try again.', { retry_after: 1 }));
  });
}

function refuseWork(instance: FastifyInstance): void {
  instance.decorate('refusalOfWork', () => null);
  instance.addHook('onRequest', ({ routeOptions }, _, done) => {
    const refusal = routeOptions.config.policy?.startsWork ? instance.refusalOfWork() : null;
    if (refusal) done(refusal);
    else done();
  });
}

function takeJsonOnly(instance: FastifyInstance, more: readonly string[]): void {
  instance.removeAllContentTypeParsers();
  // Some clients send a content type without a body. A route that needs a body refuses its absence during validation.
  const read = async (bytes: Buffer) => (bytes.length === 0 ? undefined : readJson(bytes));
  instance.addContentTypeParser(['application/json', ...more], ({ raw, routeOptions }: FastifyRequest) =>
    instance.bodies.use<unknown>(raw, routeOptions.bodyLimit, takesBytes(routeOptions, JSON_TYPE) ? async (bytes) => bytes : read),
  );
}

function applyBodyLimits(instance: FastifyInstance): void {
  instance.addHook('onRoute', (route) => {
    const limit = route.config?.policy?.bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
}

/** When the application is initialised, Nest passes this metadata of a handler to Fastify as the route's config. */
function declarePolicy(route: Route, pipe: RequestPipe): void {
  pipe.prepare(route);
  const config = (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, route.handler) ?? {}) as { policy?: RoutePolicy };
  if (config.policy !== undefined && !isDeepStrictEqual(config.policy, route.policy)) {
    throw new Error(`${route.controller.name}.${route.name}: an inherited handler can't have another access in each controller`);
  }
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, policy: route.policy }, route.handler);
}
