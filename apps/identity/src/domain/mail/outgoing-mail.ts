import { type Decider, type Decision, Instant, isLeased, LONGEST_LEASE_MILLIS, refuse } from '@parlance/decider';
import type { RegisteredUser, User } from '../user.ts';

/** Mails about notifications, to users who have chosen them. */
const NOTIFICATION_KINDS = [
  'bot_shared',
  'prompt_shared',
  'project_shared',
  'approval_wanted',
  'budget_threshold',
  'budget_spent',
] as const;
export type NotificationMailKind = (typeof NOTIFICATION_KINDS)[number];

export const MAIL_KINDS = [
  'email_verification',
  'invitation',
  'password_reset',
  'password_changed',
  'second_factor_added',
  'second_factor_removed',
  'second_factors_reset',
  'token_created',
  'budget_nearly_reached',
  'budget_reached',
  'own_export_ready',
  'own_export_ready_by_admin',
  ...NOTIFICATION_KINDS,
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const isNotification = (kind: MailKind): kind is NotificationMailKind => (NOTIFICATION_KINDS as readonly MailKind[]).includes(kind);

export const isOfOwnExport = (kind: MailKind): boolean => kind === 'own_export_ready' || kind === 'own_export_ready_by_admin';

/** The most subjects of one notification. Services are asked about all of them at once. */
export const MOST_SUBJECTS = 100;

/** The pauses between the tries of a mail. A mail whose last try fails has failed. */
export const MAIL_GAPS_MILLIS = [5_000, 30_000, 300_000, 1_800_000, 7_200_000, 18_000_000] as const;
/** The longest pause before a next try. */
export const LONGEST_MAIL_PAUSE_MILLIS = MAIL_GAPS_MILLIS.at(-1)! + LONGEST_LEASE_MILLIS;
export const MOST_MAIL_TRIES = MAIL_GAPS_MILLIS.length + 1;
/** Longer than one try can take (`SEND_MILLIS` in `src/adapters/mail/smtp.ts`). */
export const MAIL_LEASE_MILLIS = 120_000;

/** Why a mail was not sent. Contains neither an address nor text from the mail server. */
export type MailFailure = 'expired' | 'refused_by_server' | 'too_many_tries' | 'no_recipient';

/** `refused`: the server will never accept this mail. `unavailable`: a later try may succeed. */
export type MailOutcome = 'accepted' | 'refused' | 'unavailable';

interface Facts {
  readonly kind: MailKind;
  /** Null for an invitation, which goes to an address that no user has. */
  readonly userId: string | null;
  /** The hash of the address that is invited or verified. An invitation and its mail have the same ID. */
  readonly addressHash?: string;
  /** The bot, prompt, project, reply or budget that a notification is about: the first of them, if there are several. */
  readonly subjectId?: string;
  /** The conversation of the reply. */
  readonly conversationId?: string;
}

/**
 * One mail to one user, or to an invited address. A try begins with an event that leases the mail, and ends with its outcome. If the
 * process crashes in between, the lease runs out and the mail is sent again with the same Message-ID. So a mail is sent at least once, and
 * its tries do not overlap.
 */
export type OutgoingMailCommand =
  /**
   * `expiresAt`: when the mail becomes useless, for example because its link expires; null for never. `dueAt`: when it may be sent; now if
   * absent.
   */
  | ({ type: 'Request'; expiresAt: Instant | null; dueAt?: Instant; now: Instant } & Facts)
  | { type: 'Begin'; tryId: string; now: Instant }
  | { type: 'Conclude'; tryId: string; outcome: MailOutcome; now: Instant }
  /** The user is erased, disabled or a service account, or does not want the mail any more; or what it is about has ended. */
  | { type: 'Withdraw' };

export type OutgoingMailEvent =
  | ({ type: 'MailRequested'; expiresAt: Instant | null; dueAt: Instant } & Facts)
  /** Another subject of the same notification. */
  | { type: 'MailSubjectAdded'; subjectId: string }
  | { type: 'MailTryBegun'; tryId: string; leasedUntil: Instant }
  | { type: 'MailDelayed'; tryId: string; dueAt: Instant }
  | { type: 'MailSent'; tryId: string }
  | { type: 'MailFailed'; because: MailFailure };

export interface PendingMail extends Facts {
  readonly status: 'pending';
  readonly expiresAt: Instant | null;
  readonly tries: number;
  /** When the next try may begin. While a try is running, the end of its lease. */
  readonly dueAt: Instant;
  readonly tryId: string | null;
  /** After the first one, the newest last. */
  readonly otherSubjectIds?: readonly string[];
}

export type OutgoingMail =
  | { readonly status: 'absent' | 'sent' }
  | { readonly status: 'failed'; readonly isWithdrawn?: true }
  | PendingMail;

export const outgoingMail: Decider<OutgoingMailCommand, OutgoingMailEvent, OutgoingMail> = {
  initialState: { status: 'absent' },

  decide(command, mail) {
    if (command.type === 'Request') return requested(command, mail);
    if (mail.status === 'absent') return refuse('missing', 'mail_not_found', 'There is no such mail.');
    if (mail.status !== 'pending') return [];
    if (command.type === 'Withdraw') return [{ type: 'MailFailed', because: 'no_recipient' }];
    return command.type === 'Begin' ? begun(command, mail) : concluded(command, mail);
  },

  evolve(mail, event) {
    if (event.type === 'MailRequested') {
      const { type: _, ...facts } = event;
      return { status: 'pending', ...facts, tries: 0, tryId: null };
    }
    if (mail.status !== 'pending') return mail;
    switch (event.type) {
      case 'MailSubjectAdded':
        return { ...mail, otherSubjectIds: [...(mail.otherSubjectIds ?? []), event.subjectId] };
      case 'MailTryBegun':
        return { ...mail, tries: mail.tries + 1, tryId: event.tryId, dueAt: event.leasedUntil };
      case 'MailDelayed':
        return { ...mail, tryId: null, dueAt: event.dueAt };
      case 'MailSent':
        return { status: 'sent' };
      case 'MailFailed':
        // Only notifications are requested again.
        return { status: 'failed', ...(isNotification(mail.kind) && event.because === 'no_recipient' && { isWithdrawn: true }) };
    }
  },
};

/** The event that requests a mail may be delivered twice. The first delivery counts. */
function requested(
  { now, dueAt = now, ...facts }: Extract<OutgoingMailCommand, { type: 'Request' }>,
  mail: OutgoingMail,
): OutgoingMailEvent[] {
  const request: OutgoingMailEvent = { ...facts, type: 'MailRequested', dueAt };
  if (mail.status === 'absent') return [request];
  const { kind, subjectId } = facts;
  if (!isNotification(kind) || subjectId === undefined) return [];
  // What withdrew a mail, such as an end of the sharing, must not hide other subjects.
  if (mail.status === 'failed') return mail.isWithdrawn ? [request] : [];
  const known = mail.status === 'pending' ? subjectsOf(mail) : null;
  if (known === null || known.includes(subjectId) || known.length >= MOST_SUBJECTS) return [];
  return [{ type: 'MailSubjectAdded', subjectId }];
}

/** The newest first. */
export const subjectsOf = ({ subjectId, otherSubjectIds = [] }: PendingMail): readonly string[] =>
  [...(subjectId === undefined ? [] : [subjectId]), ...otherSubjectIds].toReversed();

function begun({ tryId, now }: Extract<OutgoingMailCommand, { type: 'Begin' }>, mail: PendingMail): Decision<OutgoingMailEvent> {
  if (mail.tryId === tryId) return [];
  if (isLeased(mail.dueAt, now, LONGEST_MAIL_PAUSE_MILLIS))
    return refuse('conflict', 'mail_not_due', 'The mail is being sent, or is waiting for its next attempt. Try again later.');
  if (mail.expiresAt !== null && mail.expiresAt <= now) return [{ type: 'MailFailed', because: 'expired' }];
  // Tries that a crash cut off count too.
  if (mail.tries >= MOST_MAIL_TRIES) return [{ type: 'MailFailed', because: 'too_many_tries' }];
  return [{ type: 'MailTryBegun', tryId, leasedUntil: Instant.plus(now, MAIL_LEASE_MILLIS) }];
}

function concluded({ tryId, outcome, now }: Extract<OutgoingMailCommand, { type: 'Conclude' }>, mail: PendingMail): OutgoingMailEvent[] {
  // The server has the mail, even if the lease of the try has ended since.
  if (outcome === 'accepted') return [{ type: 'MailSent', tryId }];
  if (mail.tryId !== tryId) return [];
  if (outcome === 'refused') return [{ type: 'MailFailed', because: 'refused_by_server' }];
  const gap = MAIL_GAPS_MILLIS[mail.tries - 1];
  if (gap === undefined) return [{ type: 'MailFailed', because: 'too_many_tries' }];
  return [{ type: 'MailDelayed', tryId, dueAt: Instant.plus(now, gap) }];
}

/** Disabled users and service accounts get no mail. */
export const getsMail = (state: User): state is RegisteredUser =>
  state.status === 'registered' && state.enabled && state.origin !== 'service_account';

export const outgoingMailStream = (mailId: string) => `mail-${mailId}`;
