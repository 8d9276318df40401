import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Instant, Refusal } from '@parlance/decider';
import { LOGGER } from '@parlance/foundation';
import { CallerStatements } from '@parlance/http';
import { type Logger, RequestContext } from '@parlance/observability';
import type { FastifyInstance } from 'fastify';

const PROBE_HEADER = 'x-parlance-probe';
const EDGE = 'edge';
/** How long a probe is repeated before it counts as failed. This is shorter than a watcher's lease, because the owner waits for the result. */
const PATIENCE_MS = 500;
/** How long a deployment's row may lag behind its event. */
const BEHIND_MS = 200;
const PAUSE_MS = 20;

/**
 * Checks whether this edge serves the address of a new deployment: it requests the API description from itself, with a signed header in
 * place of a key, and reports a failure to the publication service. No allowlist and no limit applies to the request.
 */
@Injectable()
export class DeploymentProbe {
  private instance: FastifyInstance | null = null;

  constructor(
    private readonly calls: ServiceCalls,
    private readonly statements: CallerStatements,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  install(instance: FastifyInstance): void {
    this.instance = instance;
  }

  /** Whether a request is a probe of this API, sent by an edge of this installation. */
  isProbe(headers: IncomingHttpHeaders, apiId: string): boolean {
    const text = headers[PROBE_HEADER];
    if (typeof text !== 'string') return false;
    const statement = this.statements.verify(text, Instant.ofMillis(Date.now()));
    return statement?.kind === 'service' && statement.sub === EDGE && statement.call === true && statement.rid === apiId;
  }

  /** Resolves when the address was checked and a failure was reported. Never rejects. */
  async run(apiId: string): Promise<void> {
    await RequestContext.run(RequestContext.background(), () => this.probe(apiId)).catch((error: unknown) => {
      this.log.warn({ err: error, apiId }, 'a deployment could not be probed');
    });
  }

  private async probe(apiId: string): Promise<void> {
    const began = performance.now();
    const stage = await this.stageOf(apiId, began);
    // The deployment has already ended.
    if (stage === null) return;
    for (;;) {
      const failure = await this.ask(apiId, stage);
      if (failure === null) return;
      if (performance.now() - began < PATIENCE_MS) await sleep(PAUSE_MS);
      else
        return this.calls.post('publication', `/internal/deployments/${apiId}/failures`, {
          reason: `An edge could not serve the API: ${failure}`,
        });
    }
  }

  private async stageOf(apiId: string, began: number): Promise<string | null> {
    for (;;) {
      try {
        return (await this.calls.get<{ stage: string }>('publication', `/internal/deployments/${apiId}`)).stage;
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'missing') throw error;
        if (performance.now() - began >= BEHIND_MS) return null;
        await sleep(PAUSE_MS);
      }
    }
  }

  /** Null, or the reason why this edge does not serve the address. */
  private async ask(apiId: string, stage: string): Promise<string | null> {
    const facts = { groups: [], sid: null, kind: 'service', ip: null, ua: null, call: true } as const;
    const signed = this.statements.sign({ ...facts, sub: EDGE, rid: apiId, cid: apiId }, Instant.ofMillis(Date.now()));
    const { statusCode, payload } = await this.instance!.inject({
      method: 'GET',
      url: `/published/${apiId}/${stage}/openapi.json`,
      headers: { host: EDGE, [PROBE_HEADER]: signed },
    });
    return statusCode === 200 ? null : ((JSON.parse(payload) as { detail?: string }).detail ?? `status ${statusCode}`);
  }
}
