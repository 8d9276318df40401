import { assembleDocuments, DOCUMENT_PATH, type OpenApiDocument, type ServiceCalls, VERSION } from '@parlance/service-kit';
import findMyWay from 'find-my-way';

/** The services that answer clients, each by the OpenAPI document that is made from its controllers. */
export const documentedServices = ['identity', 'bots', 'publication', 'inference', 'analytics'] as const;
export type DocumentedService = (typeof documentedServices)[number];

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

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

  /** The service that answers this method at this path, if any does. */
  serviceOf(method: string, path: string): DocumentedService | null {
    const found = this.router.find(method as findMyWay.HTTPMethod, path);
    return (found?.store as DocumentedService | undefined) ?? null;
  }

  openApi(): OpenApiDocument | null {
    return this.assembled;
  }
}

function routerOf(documents: ReadonlyMap<DocumentedService, OpenApiDocument>): Router {
  const router = findMyWay({ maxParamLength: 256 });
  for (const [service, document] of documents) {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
        router.on(method.toUpperCase() as findMyWay.HTTPMethod, pattern, () => undefined, service);
      }
    }
  }
  return router;
}
