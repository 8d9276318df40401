import { actionRefused } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import type { Commit, EventStore } from '@parlance/event-store';
import type { Outgoing } from '@parlance/messaging';
import { RequestContext } from '../observing/request-context.ts';
import { type Clock, newId } from './clock.ts';
import type { Origins } from './origins.ts';
import { publishing, say } from './publishing.ts';

/** What somebody tried and was refused, as the audit log will have it. Who tried, and from where, is the request's own. */
export interface RefusedAction {
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  /** As it was answered. */
  readonly code: string;
  readonly message: string;
}

type RefusalEvent = { type: 'ActionRefused' } & RefusedAction;

const KIND = 'refusal-';

/** Keeps what was refused, each in a stream of its own: there is nothing to decide and nobody to wait for. */
export class Refusals {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly origins: Pick<Origins, 'seal'>,
  ) {}

  /**
   * Resolves when it is durable, so that whoever refuses answers after it. Rejects with the refusal `audit_unavailable`
   * (unavailable), for the answer in its place, when it can't be kept.
   */
  async record(refused: RefusedAction): Promise<void> {
    const event: RefusalEvent = { type: 'ActionRefused', ...refused };
    try {
      await this.origins.seal();
      const metadata = RequestContext.metadata(this.clock.now());
      await this.store.append({ stream: `${KIND}${newId()}`, expected: 0, events: [event], metadata });
    } catch (cause) {
      const putOff = refuse('unavailable', 'audit_unavailable', 'what is refused must be on record, and can not be now', {
        retry_after: 5,
      });
      putOff.cause = cause;
      throw putOff;
    }
  }
}

/** A service's own map from private to public events, and what it has refused: the same for all, so none has to know. */
export function withRefusals(service: string, publish: (commit: Commit) => readonly Outgoing[]): typeof publish {
  const said = actionRefused(service);
  const refused = publishing<RefusalEvent>(service, {
    ActionRefused: ({ action, resourceType, resourceId, code, message }) =>
      say(said, { action, resource_type: resourceType, resource_id: resourceId, code, message }),
  });
  return (commit) => (commit.stream.startsWith(KIND) ? refused(commit) : publish(commit));
}
