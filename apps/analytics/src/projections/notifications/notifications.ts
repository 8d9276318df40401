import type {
  ApprovalWanted,
  BotNarrowed,
  BotWidened,
  BudgetNearlyReached,
  BudgetReached,
  CallBudgetNearlyReached,
  CallBudgetReached,
  OwnExportReady,
  ProjectShared,
  PromptSharingChanged,
  UserErased,
} from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { type Change, foreignProjection, type Outdated, put, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { LogPosition } from '../../domain/log-positions.ts';

export const NOTIFICATION_KINDS = [
  'bot_shared',
  'prompt_shared',
  'project_shared',
  'approval_wanted',
  'export_ready',
  'budget_threshold',
] as const;

/** The most notifications of a user, and of a group. Older ones are dropped. */
export const MOST_NOTIFICATIONS = 100;
/** Many of these are not shown any more, because the reply has gone on or the budget is removed. They leave others their places. */
const MOST_OF_KIND: Partial<Record<StoredNotification['kind'], number>> = { approval_wanted: 40, budget_threshold: 40 };
/** How long they are kept: 90 days. */
export const KEPT_MILLIS = 90 * 86_400_000;
/** Administrators are notified about all budgets. */
export const ADMIN_GROUP = 'Admin';

type BudgetEvent = BudgetNearlyReached | BudgetReached | CallBudgetNearlyReached | CallBudgetReached;

/** Has only IDs. Names are looked up when it is read, with the rights of its reader. */
export interface StoredNotification {
  /** The ID of the event. */
  readonly id: string;
  readonly kind: (typeof NOTIFICATION_KINDS)[number];
  /** RFC 3339. */
  readonly at: string;
  /** The service that published the event, and the position in its log. */
  readonly source: string;
  readonly sequence: LogPosition;
  /** The user who caused the event. */
  readonly by: string | null;
  /** The bot, prompt, project, reply, export or budget. There is one notification of a kind for each, the newest. */
  readonly subjectId: string;
  readonly budget?: Pick<BudgetEvent, 'scope' | 'scope_id' | 'period' | 'limit_nano_dollars' | 'spent_nano_dollars'> & {
    readonly percent: number;
  };
  /** The conversation of the reply. */
  readonly conversationId?: string;
  /** When the file of an export is removed, or when a reply goes on without an approval. RFC 3339. */
  readonly expiresAt?: string;
}

/** The notifications of a user, or of the members of a group. */
interface NotificationsRow {
  /** Epoch milliseconds of the newest one. Absent for an erased user. */
  readonly newest_at?: number;
  /** Newest first. */
  readonly notifications: readonly StoredNotification[];
  /** Events may arrive after the erasure of their user. */
  readonly isErased?: true;
}

/** The newest notification of a row, so that streams can look for new ones without reading the rows. */
interface NewestRow {
  readonly newest_at?: number;
  readonly newest_id?: string;
  readonly isErased?: true;
}

const notificationRows = table<NotificationsRow>('notifications', { byNewest: ['newest_at'] });
const newestRows = table<NewestRow>('newest_notifications', { byNewest: ['newest_at'] });

export const userAudience = (userId: string) => `user:${userId}`;
export const groupAudience = (group: string) => `group:${group}`;

type Received =
  | CloudEvent<BotWidened, 'parlance.bots.bot-widened.v1'>
  | CloudEvent<BotNarrowed, 'parlance.bots.bot-narrowed.v1'>
  | CloudEvent<PromptSharingChanged, 'parlance.bots.prompt-sharing-changed.v1'>
  | CloudEvent<ProjectShared, 'parlance.inference.project-shared.v1'>
  | CloudEvent<ApprovalWanted, 'parlance.inference.approval-wanted.v1'>
  | CloudEvent<OwnExportReady, 'parlance.inference.own-export-ready.v1'>
  | CloudEvent<BudgetNearlyReached, 'parlance.analytics.budget-nearly-reached.v1'>
  | CloudEvent<BudgetReached, 'parlance.analytics.budget-reached.v1'>
  | CloudEvent<CallBudgetNearlyReached, 'parlance.analytics.budget-nearly-reached.v2'>
  | CloudEvent<CallBudgetReached, 'parlance.analytics.budget-reached.v2'>
  | CloudEvent<UserErased, 'parlance.identity.user-erased.v1'>;

const outdated: Outdated = {
  async newest(models) {
    const { rows } = await models.find(newestRows, { index: 'byNewest', order: 'desc', limit: 1 });
    const at = rows[0]?.newest_at;
    // The position is not stored. The highest one is used, so each lagging partition makes the moment older.
    return at === undefined ? null : { position: Number.MAX_SAFE_INTEGER, time: new Date(at).toISOString() };
  },
  before: ({ time }) =>
    [notificationRows, newestRows].map((each) => ({ table: each, index: 'byNewest', upTo: Date.parse(time) - KEPT_MILLIS })),
};

/** What users are notified about. A row has the newest notifications in any order of the events. */
export const notifications = foreignProjection<Received>({
  name: 'notifications',
  version: 2,
  tables: [notificationRows, newestRows],
  // At an upgrade, the logs of the other services are long, and nothing else waits for these rows.
  isAwaited: false,
  outdated,
  on: {
    'parlance.bots.bot-widened.v1': (event) => shared(event, 'bot_shared', event.data.bot_id),
    'parlance.bots.bot-narrowed.v1': (event) => shared(event, 'bot_shared', event.data.bot_id),
    'parlance.bots.prompt-sharing-changed.v1': (event) => shared(event, 'prompt_shared', event.data.prompt_id),
    'parlance.inference.project-shared.v1': (event) => {
      const { user_id, project_id } = event.data;
      return notified([userAudience(user_id)], { ...partsOf(event), kind: 'project_shared', subjectId: project_id });
    },
    'parlance.inference.approval-wanted.v1': (event) => {
      const { user_id, reply_id: subjectId, conversation_id: conversationId, expires_at: expiresAt } = event.data;
      const wanted = { ...partsOf(event), by: null, kind: 'approval_wanted', subjectId, conversationId, expiresAt } as const;
      return notified([userAudience(user_id)], wanted);
    },
    'parlance.inference.own-export-ready.v1': (event) => {
      const { user_id, export_id, expires_at: expiresAt } = event.data;
      return notified([userAudience(user_id)], { ...partsOf(event), kind: 'export_ready', subjectId: export_id, expiresAt });
    },
    'parlance.analytics.budget-nearly-reached.v1': (event) => spent(event, 80),
    'parlance.analytics.budget-reached.v1': (event) => spent(event, 100),
    'parlance.analytics.budget-nearly-reached.v2': (event) => spent(event, 80),
    'parlance.analytics.budget-reached.v2': (event) => spent(event, 100),
    'parlance.identity.user-erased.v1': ({ data: { user_id } }) => [
      put(notificationRows, userAudience(user_id), { notifications: [], isErased: true }),
      put(newestRows, userAudience(user_id), { isErased: true }),
    ],
  },
});

const partsOf = ({ id, time, source, sequence, actor }: CloudEvent) => ({
  id,
  at: time,
  source: source.slice(1),
  sequence,
  by: actor ?? null,
});

type Sharing = BotWidened | BotNarrowed | PromptSharingChanged;

function shared(event: CloudEvent<Sharing>, kind: StoredNotification['kind'], subjectId: string): readonly Change[] {
  const { added_user_ids = [], added_group_ids = [] } = event.data;
  const audiences = [...added_user_ids.map(userAudience), ...added_group_ids.map(groupAudience)];
  return notified(audiences, { ...partsOf(event), kind, subjectId });
}

function spent(event: CloudEvent<BudgetEvent>, percent: number): readonly Change[] {
  const { budget_id: subjectId, scope, scope_id, period, limit_nano_dollars, spent_nano_dollars } = event.data;
  const budget = { scope, scope_id, period, limit_nano_dollars, spent_nano_dollars, percent };
  const owner = scope === 'user' && scope_id !== null ? [userAudience(scope_id)] : [];
  return notified([...owner, groupAudience(ADMIN_GROUP)], { ...partsOf(event), by: null, kind: 'budget_threshold', subjectId, budget });
}

function notified(audiences: readonly string[], notification: StoredNotification): readonly Change[] {
  const at = Date.parse(notification.at);
  return audiences.flatMap((audience) => [
    update(notificationRows, audience, (row) => (row?.isErased ? row : withNotification(row?.notifications ?? [], notification))),
    update(newestRows, audience, (row) => {
      const { newest_at = 0, newest_id = '', isErased } = row ?? {};
      const isOlder = at < newest_at || (at === newest_at && notification.id < newest_id);
      return row && (isErased || isOlder) ? row : { newest_at: at, newest_id: notification.id };
    }),
  ]);
}

/** Drops what is too old beside the newest one, so that a row which was removed because of its age is the same as one that is built again. */
function withNotification(known: readonly StoredNotification[], added: StoredNotification): NotificationsRow {
  const all = newestOfEach([...known, added]);
  const newest_at = Date.parse(all[0]!.at);
  const recent = all.filter(({ at }) => Date.parse(at) > newest_at - KEPT_MILLIS);
  const counts = new Map<string, number>();
  const kept = recent.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= (MOST_OF_KIND[kind] ?? MOST_NOTIFICATIONS);
  });
  return { newest_at, notifications: kept.slice(0, MOST_NOTIFICATIONS) };
}

/** The newest notification of each subject, newest first. */
export function newestOfEach(all: readonly StoredNotification[]): readonly StoredNotification[] {
  const bySubject = new Map<string, StoredNotification>();
  for (const each of all.toSorted(newestFirst)) {
    const key = `${each.kind} ${each.subjectId}`;
    if (!bySubject.has(key)) bySubject.set(key, each);
  }
  return [...bySubject.values()];
}

function newestFirst(one: StoredNotification, other: StoredNotification): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

/** The notifications of these audiences, newest first, without those that this user has caused. */
export const NotificationsOf = query(
  'NotificationsOf',
  async (models, audiences: readonly string[], except: string | null = null): Promise<readonly StoredNotification[]> => {
    const rows = await models.getMany(notificationRows, audiences);
    const all = [...rows.values()].flatMap((row) => row.notifications);
    return newestOfEach(except === null ? all : all.filter(({ by }) => by !== except));
  },
);

/** The IDs of the newest notifications of these audiences. */
export const NewestNotifications = query(
  'NewestNotifications',
  async (models, audiences: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await models.getMany(newestRows, audiences);
    return new Map([...rows].flatMap(([audience, { newest_id }]) => (newest_id === undefined ? [] : [[audience, newest_id] as const])));
  },
);
