import { actionRefused, dataViewed } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import type { Commit, EventStore } from '@parlance/event-store';
import type { Outgoing } from '@parlance/messaging';
import { RequestContext } from '../observing/request-context.ts';
import { type Clock, newId } from './clock.ts';
import type { Origins } from '../audit/origins.ts';
import { publishing, say } from './publishing.ts';
import { Rarely } from '../audit/rarely.ts';

/** What was looked at, as the audit log will have it. Who did, and from where, is the request's own. */
export interface ViewedAction {
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
}

/** An action that was tried and refused. */
export interface RefusedAction extends ViewedAction {
  /** As it was answered. */
  readonly code: string;
  readonly message: string;
  /** An unknown caller has tried it: it is recorded a few times a minute only. */
  readonly isUnknown?: boolean;
}

type RefusalEvent = { type: 'ActionRefused' } & Omit<RefusedAction, 'isUnknown'>;
type ViewEvent = { type: 'DataViewed' } & ViewedAction;

const REFUSAL = 'refusal-';
const VIEW = 'view-';

/** Refusals of callers who are not known that are recorded in a minute: of one address, and of all together. */
const UNKNOWN_OF_ADDRESS = 6;
const UNKNOWN_OF_ALL = 60;

/** Keeps what was refused, and what was shown to administrators, each in a stream of its own: there is nothing to decide. */
export class Refusals {
  private readonly unknown = new Rarely(UNKNOWN_OF_ADDRESS, UNKNOWN_OF_ALL);

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly origins: Pick<Origins, 'seal'>,
  ) {}

  /**
   * Resolves when it is durable, so that the refusal is answered after it. Rejects with the refusal `audit_unavailable`
   * (unavailable), for the answer in its place, when it can't be kept.
   */
  async record({ isUnknown = false, ...refused }: RefusedAction): Promise<void> {
    if (isUnknown && !this.unknown.allows(RequestContext.current()?.ip ?? '')) return;
    await this.append(REFUSAL, { type: 'ActionRefused', ...refused });
  }

  /** Resolves when it is durable that data were shown. Rejects like `record`. */
  async viewed(viewed: ViewedAction): Promise<void> {
    await this.append(VIEW, { type: 'DataViewed', ...viewed });
  }

  private async append(kind: string, event: RefusalEvent | ViewEvent): Promise<void> {
    try {
      await this.origins.seal();
      const metadata = RequestContext.metadata(this.clock.now());
      await this.store.append({ stream: `${kind}${newId()}`, expected: 0, events: [event], metadata });
    } catch (cause) {
      const putOff = refuse(
        'unavailable',
        'audit_unavailable',
        'This has to be recorded in the audit log, which is not possible now. Try again.',
        {
          retry_after: 5,
        },
      );
      putOff.cause = cause;
      throw putOff;
    }
  }
}

/** A service's own map from private to public events, and what it has refused and shown: the same for all, so none has to know. */
export function withRefusals(service: string, publish: (commit: Commit) => readonly Outgoing[]): typeof publish {
  const said = actionRefused(service);
  const refused = publishing<RefusalEvent>(service, {
    ActionRefused: ({ action, resourceType, resourceId, code, message }) =>
      say(said, { action, resource_type: resourceType, resource_id: resourceId, code, message }),
  });
  const showed = dataViewed(service);
  const viewed = publishing<ViewEvent>(service, {
    DataViewed: ({ action, resourceType, resourceId }) => say(showed, { action, resource_type: resourceType, resource_id: resourceId }),
  });
  return (commit) => {
    if (commit.stream.startsWith(REFUSAL)) return refused(commit);
    return commit.stream.startsWith(VIEW) ? viewed(commit) : publish(commit);
  };
}
