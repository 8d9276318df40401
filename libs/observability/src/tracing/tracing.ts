import type { SpanKind as ApiSpanKind, Tracer } from '@opentelemetry/api';
import { redactedText } from '../logging/redaction.ts';
import { RequestContext } from '../request-context.ts';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The parent span's traceparent; by default from the current request context. */
  readonly parent?: string;
}

export interface Span {
  /** The traceparent to send to other services, so that their spans become children of this one. */
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Ends the span; with an error, as failed. */
  end(error?: unknown): void;
}

/** Spans of one service. */
export abstract class Tracing {
  /** False if spans are not recorded. */
  abstract readonly isRecorded: boolean;

  abstract begin(name: string, options?: SpanOptions): Span;

  /** Runs the work within a span. Its log lines, calls and events have the span's traceparent. */
  abstract inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
}

/** The tracing of a process. */
export interface TraceExport {
  for(service: string): Tracing;
  /** Sends the remaining spans, and stops. */
  close(): Promise<void>;
}

/**
 * With an endpoint (OTLP over HTTP), spans are recorded and sent there. Without one, OpenTelemetry is not loaded, which saves 80 ms of the
 * start and 6 MB. The traceparent from the client or the edge is passed on in both cases.
 */
export async function openTracing(otlpEndpoint: string | null, warn: (message: string) => void = () => {}): Promise<TraceExport> {
  if (otlpEndpoint === null) return { for: () => quiet, close: () => Promise.resolve() };
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const say = (message: string) => warn(redactedText(message));
  api.diag.setLogger(
    { error: say, warn: say, info() {}, debug() {}, verbose() {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: 2_000 });
  const processor = new sdk.BatchSpanProcessor({ exporter });
  const sampler = new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() });
  return {
    // One provider per service, because the provider has the service's name. All share one exporter.
    for(service) {
      const resource = resourceFromAttributes({ 'service.name': service, 'service.namespace': 'parlance' });
      const provider = new sdk.TracerProvider({ resource, sampler, spanProcessors: [processor] });
      return new RecordedTracing(api, provider.getTracer('parlance'));
    },
    close: () => processor.shutdown().catch((error: unknown) => say(`the last spans were lost: ${String(error)}`)),
  };
}

class QuietTracing extends Tracing {
  readonly isRecorded = false;

  begin(_: string, { parent }: SpanOptions = {}): Span {
    return parent === undefined ? passing : { ...passing, traceparent: parent };
  }

  inSpan<Result>(_name: string, _options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
    return work(passing);
  }
}

const passing: Span = {
  get traceparent() {
    return RequestContext.current()?.traceparent;
  },
  set() {},
  rename() {},
  end() {},
};

const quiet = new QuietTracing();

class RecordedTracing extends Tracing {
  readonly isRecorded = true;

  constructor(
    private readonly api: typeof import('@opentelemetry/api'),
    private readonly tracer: Tracer,
  ) {
    super();
  }

  begin(name: string, { kind = 'internal', attributes = {}, parent = RequestContext.current()?.traceparent }: SpanOptions = {}): Span {
    const { api } = this;
    const root = api.ROOT_CONTEXT;
    const above = parent === undefined ? root : api.trace.setSpanContext(root, { ...contextOf(parent), isRemote: true });
    const span = this.tracer.startSpan(name, { kind: this.kindOf(kind), attributes: withoutSecrets(attributes) }, above);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      set: (more) => void span.setAttributes(withoutSecrets(more)),
      rename: (other) => void span.updateName(other),
      end(error) {
        if (error !== undefined) {
          const message = redactedText(error instanceof Error ? error.message : String(error));
          span.recordException({ name: error instanceof Error ? error.name : 'Error', message });
          span.setStatus({ code: api.SpanStatusCode.ERROR, message });
        }
        span.end();
      },
    };
  }

  async inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
    const span = this.begin(name, options);
    const context = { ...(RequestContext.current() ?? RequestContext.background()), traceparent: span.traceparent! };
    try {
      const result = await RequestContext.run(context, () => work(span));
      span.end();
      return result;
    } catch (error) {
      span.end(error);
      throw error;
    }
  }

  private kindOf(kind: SpanKind): ApiSpanKind {
    return this.api.SpanKind[kind.toUpperCase() as keyof typeof ApiSpanKind];
  }
}

function contextOf(traceparent: string): { traceId: string; spanId: string; traceFlags: number } {
  return {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53, 55), 16),
  };
}

function withoutSecrets(attributes: Attributes): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, withoutSecret(value)]));
}

function withoutSecret(value: Attributes[string]): string | number | boolean | string[] {
  if (typeof value === 'object') return value.map((each) => redactedText(each));
  return typeof value === 'string' ? redactedText(value) : value;
}
