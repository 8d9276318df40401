import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  API_KEY,
  assembleDocuments,
  DOCUMENT_PATH,
  NO_TOKENS,
  type OpenApiDocument,
  serviceDocument,
  withExamples,
} from '@parlance/openapi';
import { ServiceCalls } from '@parlance/calls';
import { ReadablePaths } from '@parlance/http';
import { Config } from '@parlance/config';
import { LOGGER, VERSION } from '@parlance/foundation';
import findMyWay from 'find-my-way';
import type { Logger } from 'pino';
import { withEdgeAnswers } from '../http/documents/edge-answers.ts';
import { type Operation, operationOf } from '../http/routing/operation.ts';
import { SchemaShapes } from '../http/routing/schema-shapes.ts';

/** The services with routes for clients. Each has an OpenAPI document, generated from its controllers. */
export const DOCUMENTED_SERVICES = ['identity', 'bots', 'publication', 'inference', 'analytics'] as const;
export type DocumentedService = (typeof DOCUMENTED_SERVICES)[number];

const INFO = {
  title: 'Parlance',
  version: VERSION,
  description: 'Chat with language models and custom bots, share and publish bots, and see what they cost.',
};

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

export interface ServiceRoute {
  readonly service: DocumentedService;
  /** The pattern in the document: `/bot/{bot_id}`. */
  readonly path: string;
  /** The same pattern as the service reports it in logs and metrics: `/bot/:bot_id`. */
  readonly pattern: string;
  /** The pattern of the path at which the route's effect can be looked up; null if there is none. */
  readonly lookUp: string | null;
  /** The route takes no access token, and the edge ignores one. */
  readonly open: boolean;
  /** Callers without an access token may use the route too; callers with a token are identified. */
  readonly openToAnonymous: boolean;
  /** The group that callers need, checked by the service; null if none is needed. */
  readonly needsGroup: string | null;
  /** The kind of credential that the service checks in place of the access token; null if there is none. */
  readonly scheme: string | null;
  /** The route is for programs with an API key, which the edge checks. */
  readonly published: boolean;
  /** The scope that a personal access token needs; null if none is accepted. */
  readonly tokenScope: string | null;
  readonly operation: Operation;
}

export interface FoundRoute extends ServiceRoute {
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** The routes of all services and the document of the product, both made from the services' documents. */
@Injectable()
export class ServiceDocuments {
  private readonly documents = new Map<DocumentedService, OpenApiDocument>();
  private router: Router = findMyWay();
  private paths: Router = findMyWay();
  private assembled: OpenApiDocument | null = null;
  private readonly onConflict: ((conflict: string) => void) | undefined;

  constructor(
    private readonly calls: ServiceCalls,
    private readonly modules: ModulesContainer,
    private readonly config: Config,
    @Inject(LOGGER) log: Logger,
  ) {
    // Services in other processes may be of another release, until an update is complete.
    if (Object.keys(config.services).length > 0)
      this.onConflict = (conflict) => log.warn({ conflict }, 'two services describe the API differently');
  }

  /**
   * Fetches the document of every service. A service that does not answer keeps its last document. Returns the services without a document.
   */
  async learn(): Promise<readonly DocumentedService[]> {
    const news = await Promise.all(DOCUMENTED_SERVICES.map((service) => this.learnFrom(service)));
    if (news.includes(true)) {
      const own = this.own();
      const all = [...this.documents.values(), own];
      this.router = routerOf(this.documents);
      this.paths = pathsOf(all);
      const assembled = withExamples(withEdgeAnswers(assembleDocuments(INFO, all, this.onConflict), own));
      this.assembled = { ...assembled, servers: [{ url: this.config.publicBaseUrl }] };
    }
    return this.missing();
  }

  /** Fetches the document of one service. Returns whether it has changed. */
  private async learnFrom(service: DocumentedService): Promise<boolean> {
    try {
      const document = await this.calls.get<OpenApiDocument>(service, DOCUMENT_PATH);
      if (isDeepStrictEqual(document, this.documents.get(service))) return false;
      this.documents.set(service, document);
      return true;
    } catch {
      // A failure is not an error: `learn` returns the missing services, and is called again soon.
      return false;
    }
  }

  /** The edge's own document. */
  private own(): OpenApiDocument {
    return serviceDocument({ get: () => this.modules }, { title: 'edge', version: VERSION });
  }

  missing(): readonly DocumentedService[] {
    return DOCUMENTED_SERVICES.filter((service) => !this.documents.has(service));
  }

  /** The route of this method and path. A route for GET also serves HEAD. */
  routeOf(method: string, path: string): FoundRoute | null {
    const found = this.find(method, path);
    return found && { ...(found.store as ServiceRoute), params: found.params };
  }

  /** Like `routeOf`, without the path's parameters, so nothing is copied. */
  serviceRouteOf(method: string, path: string): ServiceRoute | null {
    const found = this.find(method, path);
    return found && (found.store as ServiceRoute);
  }

  private find(method: string, path: string) {
    return this.router.find((method === 'HEAD' ? 'GET' : method) as findMyWay.HTTPMethod, path);
  }

  /** The methods of a path, including the edge's own routes; empty for an unknown path. */
  methodsAt(path: string): readonly string[] {
    return (this.paths.find('GET', path)?.store as readonly string[] | undefined) ?? [];
  }

  openApi(): OpenApiDocument | null {
    return this.assembled;
  }
}

/** Each path once, with the methods of all documents, and with OPTIONS, which the gateway answers if no service does. */
function pathsOf(documents: readonly OpenApiDocument[]): Router {
  const methods = new Map<string, string[]>();
  for (const { paths } of documents) {
    for (const [path, operations] of Object.entries(paths)) {
      const pattern = path.replaceAll(/\{\w+\}/g, ':x');
      const own = Object.keys(operations).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
      methods.set(pattern, [...(methods.get(pattern) ?? []), ...own]);
    }
  }
  const router = findMyWay({ maxParamLength: 256 });
  for (const [pattern, methodsOfPath] of methods)
    router.on('GET', distinctParams(pattern), () => undefined, [...new Set([...methodsOfPath, 'OPTIONS'])]);
  return router;
}

/** The router does not accept two parameters with the same name. */
function distinctParams(pattern: string): string {
  let count = 0;
  return pattern.replaceAll(':x', () => `:x${count++}`);
}

function routerOf(documents: ReadonlyMap<DocumentedService, OpenApiDocument>): Router {
  const router = findMyWay({ maxParamLength: 256 });
  const readable = new ReadablePaths(
    [...documents.values()].flatMap(({ paths }) => Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}))).map(patternOf),
  );
  for (const [service, document] of documents) {
    const shapes = new SchemaShapes(document.components.schemas);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, description] of Object.entries(operations)) {
        const { security, 'x-needs-group': needsGroup, 'x-token-scope': tokenScope } = description;
        const pattern = patternOf(path);
        // A route that moved between two releases is at its earlier service until that is updated.
        if (router.hasRoute(method.toUpperCase() as findMyWay.HTTPMethod, pattern)) continue;
        const route: ServiceRoute = {
          service,
          path,
          pattern,
          lookUp: readable.nearest(pattern),
          open: !needsToken(security) && !needsApiKey(security),
          openToAnonymous: needsToken(security) && isOptional(security),
          needsGroup: typeof needsGroup === 'string' ? needsGroup : null,
          scheme: needsApiKey(security) ? null : schemeOf(security),
          published: needsApiKey(security),
          tokenScope: typeof tokenScope === 'string' && tokenScope !== NO_TOKENS ? tokenScope : null,
          operation: operationOf(method, description, shapes),
        };
        router.on(method.toUpperCase() as findMyWay.HTTPMethod, pattern, () => undefined, route);
      }
    }
  }
  return router;
}

const patternOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Whether the route takes an access token. Services check other credentials themselves. */
const needsToken = (security: unknown): boolean =>
  !Array.isArray(security) || security.some((each) => Object.hasOwn(each as object, 'bearer'));

/** Whether one of the alternatives needs no credential. */
const isOptional = (security: unknown): boolean =>
  Array.isArray(security) && security.some((each) => Object.keys(each as object).length === 0);

const needsApiKey = (security: unknown): boolean =>
  Array.isArray(security) && security.some((each) => Object.hasOwn(each as object, API_KEY));

const schemeOf = (security: unknown): string | null =>
  needsToken(security) ? null : ((security as object[]).flatMap((each) => Object.keys(each))[0] ?? null);
