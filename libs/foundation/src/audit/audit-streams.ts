import { Inject, Injectable } from '@nestjs/common';
import { actionRefused, dataViewed } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { type Commit, EventStore, newId } from '@parlance/event-store';
import type { Outgoing } from '@parlance/messaging';
import { AuditRecorder, type RefusedAction, type ViewedAction } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import { Clock } from '../clock.ts';
import { Origins } from './origins.ts';
import { publishing, say } from '../publishing/publishing.ts';
import { Rarely } from './rarely.ts';

type RefusalEvent = { type: 'ActionRefused' } & Omit<RefusedAction, 'isFrequent'>;
type ViewEvent = { type: 'DataViewed' } & ViewedAction;

const REFUSAL = 'refusal-';
const VIEW = 'view-';

/** How many refusals of unknown callers or of too many attempts are recorded per minute: for one address, and for all addresses. */
const FREQUENT_PER_ADDRESS = 6;
const FREQUENT_IN_TOTAL = 60;

/** Appends each refusal and each read to a new stream, without a decider. */
@Injectable()
export class AuditStreams extends AuditRecorder {
  private readonly frequent = new Rarely(FREQUENT_PER_ADDRESS, FREQUENT_IN_TOTAL);

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    @Inject(Origins) private readonly origins: Pick<Origins, 'seal'>,
  ) {
    super();
  }

  async record({ isFrequent = false, ...refused }: RefusedAction): Promise<void> {
    if (isFrequent && !this.frequent.allows(RequestContext.current()?.ip ?? '')) return;
    await this.append(REFUSAL, { type: 'ActionRefused', ...refused });
  }

  async viewed(viewed: ViewedAction): Promise<void> {
    await this.append(VIEW, { type: 'DataViewed', ...viewed });
  }

  private async append(kind: string, event: RefusalEvent | ViewEvent): Promise<void> {
    try {
      await this.origins.seal();
      const metadata = RequestContext.metadata(this.clock.now());
      await this.store.append({ stream: `${kind}${newId()}`, expected: 0, events: [event], metadata });
    } catch (cause) {
      const putOff = refuse('unavailable', 'audit_unavailable', 'The audit log cannot record this request now. Try again.', {
        retry_after: 5,
      });
      putOff.cause = cause;
      throw putOff;
    }
  }
}

/** Adds the public events of refusals and reads to a service's own map from private to public events. */
export function withAuditEvents(service: string, publish: (commit: Commit) => readonly Outgoing[]): typeof publish {
  const refusal = actionRefused(service);
  const refused = publishing<RefusalEvent>(service, {
    ActionRefused: ({ action, resourceType, resourceId, code, message }) =>
      say(refusal, { action, resource_type: resourceType, resource_id: resourceId, code, message }),
  });
  const view = dataViewed(service);
  const viewed = publishing<ViewEvent>(service, {
    DataViewed: ({ action, resourceType, resourceId }) => say(view, { action, resource_type: resourceType, resource_id: resourceId }),
  });
  return (commit) => {
    if (commit.stream.startsWith(REFUSAL)) return refused(commit);
    return commit.stream.startsWith(VIEW) ? viewed(commit) : publish(commit);
  };
}
