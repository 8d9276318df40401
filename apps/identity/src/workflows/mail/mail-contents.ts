import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Streams } from '@parlance/foundation';
import { type Sealed, Vault } from '@parlance/privacy';
import { type ComposedMail, composeMail } from '../../adapters/mail/composed-mail.ts';
import { type LinkKind, LinkTokens } from '../../adapters/mail/link-tokens.ts';
import { MailServer } from '../../adapters/mail/mail-server.ts';
import { invitations, invitationsStream } from '../../domain/mail/invitations.ts';
import { getsMail, isNotification, isOfOwnExport, type PendingMail } from '../../domain/mail/outgoing-mail.ts';
import { user, userStream } from '../../domain/user.ts';
import { Addresses } from '../addresses.ts';
import { NotificationSubjects, pageOf } from './notification-subjects.ts';

export interface AddressedMail {
  readonly to: string;
  readonly mail: ComposedMail;
}

interface LinkedIds {
  readonly userId: string;
  readonly mailId: string;
  /** Null if the mail is no notification. */
  readonly subjectId: string | null;
}

/** The pages of the console that the links open. */
const PAGES: Record<LinkKind, string> = { password_reset: 'reset', invitation: 'invitation', email_verification: 'verification' };

/** Reads the recipient and the text of a mail at each try, because events contain neither. */
@Injectable()
export class MailContents {
  constructor(
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly addresses: Addresses,
    private readonly tokens: LinkTokens,
    private readonly server: MailServer,
    private readonly subjects: NotificationSubjects,
    private readonly config: Config,
  ) {}

  /** Null if the mail must not be sent any more: its user gets no mail, its invitation has ended, or its subject does not concern the user any more. */
  of(mailId: string, mail: PendingMail): Promise<AddressedMail | null> {
    return mail.userId === null ? this.toInvited(mailId, mail) : this.toUser(mailId, mail.userId, mail);
  }

  private async toUser(mailId: string, userId: string, mail: PendingMail): Promise<AddressedMail | null> {
    const { kind, addressHash } = mail;
    const state = await this.streams.load(user, userStream(userId));
    if (!getsMail(state)) return null;
    const subjectId = isNotification(kind) && state.notificationMails ? await this.subjects.current(userId, state, kind, mail) : null;
    if (isNotification(kind) && subjectId === null) return null;
    const [to, name] = await Promise.all([state.email, state.firstName].map((text) => this.vault.open(text as Sealed)));
    if (!to) return null;
    // The link is no longer valid: the address has changed, or is verified.
    if (kind === 'email_verification' && (state.emailVerified || this.addresses.hashOf(to) !== addressHash)) return null;
    const link = this.linkToUser(mail, { userId, mailId, subjectId });
    // While the address is not verified, the name may be text that a stranger chose.
    const shownName = state.emailVerified ? (name ?? '') : '';
    return { to, mail: composeMail(kind, state.language ?? this.server.language, shownName, link) };
  }

  /** Without the names, because the recipient has not confirmed them. */
  private async toInvited(invitationId: string, { addressHash = '' }: PendingMail): Promise<AddressedMail | null> {
    const { open } = await this.streams.load(invitations, invitationsStream(addressHash));
    if (open?.invitationId !== invitationId || open.acceptance === 'begun') return null;
    const to = await this.vault.open(open.email as Sealed);
    const link = this.linkOf('invitation', invitationId, invitationId);
    return to ? { to, mail: composeMail('invitation', this.server.language, '', link) } : null;
  }

  private linkToUser(mail: PendingMail, { userId, mailId, subjectId }: LinkedIds): string | null {
    const { kind } = mail;
    if (kind === 'password_reset' || kind === 'email_verification') return this.linkOf(kind, userId, mailId);
    // These pages need a sign-in, so their addresses have no token. Without a console, the text of the mail is enough.
    const page = isOfOwnExport(kind) ? 'account/data' : isNotification(kind) ? pageOf(kind, subjectId ?? '', mail) : null;
    return page !== null && this.config.console ? `${this.config.publicBaseUrl}/app/${page}` : null;
  }

  /** The page of the console, with the token in the fragment, which servers do not see. Without a console, the token itself. */
  private linkOf(kind: LinkKind, id: string, mailId: string): string {
    const { token } = this.tokens.of(kind, id, mailId);
    return this.config.console ? `${this.config.publicBaseUrl}/app/${PAGES[kind]}#${token}` : token;
  }
}
