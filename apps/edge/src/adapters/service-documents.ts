import { assembleDocuments, DOCUMENT_PATH, type OpenApiDocument, type ServiceCalls, VERSION } from '@parlance/service-kit';
import findMyWay from 'find-my-way';

/** The services that answer clients, each by the OpenAPI document that is made from its controllers. */
export const documentedServices = ['identity', 'bots', 'publication', 'inference', 'analytics'] as const;
export type DocumentedService = (typeof documentedServices)[number];

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

export interface ServiceRoute {
  readonly service: DocumentedService;
  /** For anonymous callers too. */
  readonly open: boolean;
}

/** What every service answers, learnt from the services themselves: the routes of the edge, and the one document of the product. */
export class ServiceDocuments {
  private readonly documents = new Map<DocumentedService, OpenApiDocument>();
  private router: Router = findMyWay();
  private assembled: OpenApiDocument | null = null;

  constructor(private readonly calls: ServiceCalls) {}

  /** Asks every service anew; one that doesn't answer keeps the document it had. Answers which have none yet. */
  async learn(): Promise<readonly DocumentedService[]> {
    await Promise.all(
      documentedServices.map(async (service) => {
        try {
          this.documents.set(service, await this.calls.get<OpenApiDocument>(service, DOCUMENT_PATH));
        } catch {
          // It is asked again soon; who is missing is this method's answer.
        }
      }),
    );
    this.router = routerOf(this.documents);
    this.assembled = assembleDocuments({ title: 'Parlance', version: VERSION }, [...this.documents.values()]);
    return this.missing();
  }

  missing(): readonly DocumentedService[] {
    return documentedServices.filter((service) => !this.documents.has(service));
  }

  /** Who answers this method at this path, if anybody does. Where there is a GET there is a HEAD. */
  routeOf(method: string, path: string): ServiceRoute | null {
    const found = this.router.find((method === 'HEAD' ? 'GET' : method) as findMyWay.HTTPMethod, path);
    return (found?.store as ServiceRoute | undefined) ?? null;
  }

  openApi(): OpenApiDocument | null {
    return this.assembled;
  }
}

function routerOf(documents: ReadonlyMap<DocumentedService, OpenApiDocument>): Router {
  const router = findMyWay({ maxParamLength: 256 });
  for (const [service, document] of documents) {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
        const route: ServiceRoute = { service, open: Array.isArray(security) && security.length === 0 };
        router.on(method.toUpperCase() as findMyWay.HTTPMethod, pattern, () => undefined, route);
      }
    }
  }
  return router;
}
