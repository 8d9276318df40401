import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { assembleDocuments, DOCUMENT_PATH, type OpenApiDocument, serviceDocument, withExamples } from '@parlance/openapi';
import { ServiceCalls } from '@parlance/calls';
import { VERSION } from '@parlance/foundation';
import findMyWay from 'find-my-way';
import { withEdgeAnswers } from '../http/documents/edge-answers.ts';
import { type Operation, operationOf } from '../http/routing/operation.ts';
import { SchemaShapes } from '../http/routing/schema-shapes.ts';

/** The services that answer clients, each by the OpenAPI document that is made from its controllers. */
export const DOCUMENTED_SERVICES = ['identity', 'bots', 'publication', 'inference', 'analytics'] as const;
export type DocumentedService = (typeof DOCUMENTED_SERVICES)[number];

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

export interface ServiceRoute {
  readonly service: DocumentedService;
  /** As the document has it: `/bot/{bot_id}`. */
  readonly path: string;
  /** For anonymous callers too. */
  readonly open: boolean;
  /** Callers need this group, which their service checks; null where any will do. */
  readonly needsGroup: string | null;
  /** The kind of credential, other than the access token, that the service checks; null where there is none. */
  readonly scheme: string | null;
  readonly operation: Operation;
}

export interface FoundRoute extends ServiceRoute {
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** What every service answers, learnt from the services themselves: the routes of the edge, and the one document of the product. */
@Injectable()
export class ServiceDocuments {
  private readonly documents = new Map<DocumentedService, OpenApiDocument>();
  private router: Router = findMyWay();
  private paths: Router = findMyWay();
  private assembled: OpenApiDocument | null = null;

  constructor(
    private readonly calls: ServiceCalls,
    private readonly modules: ModulesContainer,
  ) {}

  /** Asks every service anew; one that doesn't answer keeps the document it had. Answers which have none yet. */
  async learn(): Promise<readonly DocumentedService[]> {
    const news = await Promise.all(DOCUMENTED_SERVICES.map((service) => this.learnFrom(service)));
    if (news.includes(true)) {
      const own = this.own();
      const all = [...this.documents.values(), own];
      this.router = routerOf(this.documents);
      this.paths = pathsOf(all);
      this.assembled = withExamples(withEdgeAnswers(assembleDocuments({ title: 'Parlance', version: VERSION }, all), own));
    }
    return this.missing();
  }

  /** Whether there is anything new. */
  private async learnFrom(service: DocumentedService): Promise<boolean> {
    try {
      const document = await this.calls.get<OpenApiDocument>(service, DOCUMENT_PATH);
      if (isDeepStrictEqual(document, this.documents.get(service))) return false;
      this.documents.set(service, document);
      return true;
    } catch {
      // It is asked again soon; who is missing is what `learn` answers.
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

  /** The service that answers this method at this path, if any. Where there is a GET there is a HEAD. */
  routeOf(method: string, path: string): FoundRoute | null {
    const found = this.router.find((method === 'HEAD' ? 'GET' : method) as findMyWay.HTTPMethod, path);
    return found && { ...(found.store as ServiceRoute), params: found.params };
  }

  /** What may be asked at a path, the edge's own ones among them; empty where there is nothing. */
  methodsAt(path: string): readonly string[] {
    return (this.paths.find('GET', path)?.store as readonly string[] | undefined) ?? [];
  }

  openApi(): OpenApiDocument | null {
    return this.assembled;
  }
}

/** Each path once, with the methods of all documents, and with OPTIONS, which the gateway answers where no service does. */
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
  for (const [pattern, its] of methods) router.on('GET', distinctParams(pattern), () => undefined, [...new Set([...its, 'OPTIONS'])]);
  return router;
}

/** The router takes no two parameters of one name. */
function distinctParams(pattern: string): string {
  let count = 0;
  return pattern.replaceAll(':x', () => `:x${count++}`);
}

function routerOf(documents: ReadonlyMap<DocumentedService, OpenApiDocument>): Router {
  const router = findMyWay({ maxParamLength: 256 });
  for (const [service, document] of documents) {
    const shapes = new SchemaShapes(document.components.schemas);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, description] of Object.entries(operations)) {
        const { security, 'x-needs-group': needsGroup } = description;
        const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
        const route: ServiceRoute = {
          service,
          path,
          open: !needsToken(security),
          needsGroup: typeof needsGroup === 'string' ? needsGroup : null,
          scheme: schemeOf(security),
          operation: operationOf(method, description, shapes),
        };
        router.on(method.toUpperCase() as findMyWay.HTTPMethod, pattern, () => undefined, route);
      }
    }
  }
  return router;
}

/** Whether it is the access token that a route goes by: other credentials are its service's to look at. */
const needsToken = (security: unknown): boolean =>
  !Array.isArray(security) || security.some((each) => Object.hasOwn(each as object, 'bearer'));

const schemeOf = (security: unknown): string | null =>
  needsToken(security) ? null : ((security as object[]).flatMap((each) => Object.keys(each))[0] ?? null);
