import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock, PagedRounds, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { type Sealed, Shredded, Vault } from '@parlance/privacy';
import { readToken, LinkTokens, type ShownToken } from '../../adapters/mail/link-tokens.ts';
import { MailServer } from '../../adapters/mail/mail-server.ts';
import { ExecuteInvitations, ExecuteOutgoingMail } from '../../commands/aggregates.ts';
import { areTooMany, tooManyGroups } from '../../domain/groups-of-user.ts';
import { creationOf, type Groups, groups as groupsDecider, groupsStream, isSameGroup } from '../../domain/groups.ts';
import {
  canAccept,
  invalidInvitation,
  invitationNotFound,
  invitations,
  type InvitationsCommand,
  invitationsStream,
  type OpenInvitation,
} from '../../domain/mail/invitations.ts';
import { isActiveAdmin, user, userStream } from '../../domain/user.ts';
import { ExpiredInvitations, InvitationById, type InvitationRow } from '../../projections/invitations.ts';
import { Addresses } from '../addresses.ts';
import { Registration } from '../registration.ts';
import { type Cursor } from '@parlance/read-models';

export interface PersonToInvite {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly groups: readonly string[];
}

export interface Acceptance {
  readonly token: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The most invitations that one round ends. */
const ENDS_PER_ROUND = 100;

/** The subject of an invitation's key. The key is destroyed when the invitation ends, so that the address and names cannot be read again. */
const invitationSubject = (invitationId: string) => ({ id: `invitation:${invitationId}` });

/** Invites persons by mail, and creates their users when they accept. */
@Injectable()
export class Invitations {
  private readonly rounds = new PagedRounds<InvitationRow, Cursor>(
    'expired invitations could not be ended',
    ({ invitation_id }) => invitation_id,
  );

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
    private readonly tokens: LinkTokens,
    private readonly server: MailServer,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `mail_disabled`, `too_many_groups`, `email_taken` and `invitation_ended`. */
  async invite(invitationId: string, { email, firstName, lastName, groups }: PersonToInvite): Promise<void> {
    if (!this.server.isOn) throw refuse('forbidden', 'mail_disabled', 'This installation sends no mail. Create the user instead.');
    // Refused now, because the user could not be created later.
    if (areTooMany(groups)) throw tooManyGroups();
    if (await this.isTakenByOther(email, null)) throw emailTaken();
    const made = await this.madeGroups();
    const creations = groups.map((group) => creationOf(made, group));
    const [sealedEmail, sealedFirst, sealedLast] = await Promise.all([
      this.seal(invitationId, email),
      firstName === null ? null : this.seal(invitationId, firstName),
      lastName === null ? null : this.seal(invitationId, lastName),
    ]);
    const facts = { invitationId, email: sealedEmail, firstName: sealedFirst, lastName: sealedLast, groups, creations };
    const { hash: tokenHash } = this.tokens.of('invitation', invitationId, invitationId);
    const addressHash = this.addresses.hashOf(email);
    const before = await this.openAt(addressHash);
    await this.execute(addressHash, { type: 'Invite', ...facts, tokenHash, now: this.clock.now() });
    await this.requestMail(invitationId, addressHash);
    if (before !== null && before.invitationId !== invitationId) await this.shred(before.invitationId);
  }

  /** Repeated by a policy, in case the process ends after the invitation was recorded. */
  async requestMail(invitationId: string, addressHash: string): Promise<void> {
    const open = await this.openAt(addressHash);
    if (open?.invitationId !== invitationId || !this.server.isOn) return;
    const mail = { type: 'Request', kind: 'invitation', userId: null, addressHash } as const;
    await this.commands.execute(new ExecuteOutgoingMail(invitationId, { ...mail, expiresAt: open.expiresAt, now: this.clock.now() }));
  }

  /** What the invited person may see before accepting. Throws the refusal `invalid_invitation`. */
  async read(token: string) {
    const shown = readToken(token);
    const row = shown && (await this.queries.execute(new InvitationById(shown.id)));
    const open = row && (await this.openAt(row.address_hash));
    const its = open && canAccept(open, shown.hash, this.clock.now()) ? await this.opened(row) : null;
    if (!its) throw invalidInvitation();
    const { email, first_name, last_name, expires_at } = its;
    return { email, first_name, last_name, expires_at };
  }

  /** Throws the refusals `invalid_invitation` and `email_taken`. */
  async accept(userId: string, { token, password, firstName, lastName }: Acceptance): Promise<void> {
    const shown = readToken(token);
    const row = shown && (await this.queries.execute(new InvitationById(shown.id)));
    if (shown && !row && (await this.isRepeat(userId, shown))) return;
    if (!shown || !row) throw invalidInvitation();
    const { id: invitationId, hash: tokenHash } = shown;
    const before = await this.openAt(row.address_hash);
    const email = before && (await this.vault.open(before.email as Sealed));
    if (!before || email === null || !canAccept(before, tokenHash, this.clock.now())) throw invalidInvitation();
    if (await this.isTakenByOther(email, userId)) throw emailTaken();
    RequestContext.concern(userId);
    // Hashed first, because a busy server refuses this, and the invitation must not change then.
    const passwordHash = await this.registration.passwordHash(userId, password);
    // The acceptance is recorded before the user: from here on, revoking or replacing the invitation has no effect. If it ended before,
    // this is refused.
    const accept = { type: 'Accept', invitationId, tokenHash, now: this.clock.now() } as const;
    await this.execute(row.address_hash, accept);
    const groups = await this.groupsOf(before, row.invited_by);
    const facts = {
      email,
      password: null,
      passwordHash,
      firstName,
      lastName,
      groups,
      mustChangePassword: false,
      origin: 'invitation',
    } as const;
    await this.registration.register(userId, facts);
    await this.execute(row.address_hash, { type: 'Complete', invitationId, userId });
    await this.shred(invitationId);
  }

  /** Throws the refusals `invitation_not_found` and `invitation_being_accepted`. */
  async revoke(invitationId: string): Promise<void> {
    const row = await this.queries.execute(new InvitationById(invitationId));
    if (row === null) throw invitationNotFound();
    await this.execute(row.address_hash, { type: 'Revoke', invitationId, now: this.clock.now() });
    await this.shred(invitationId);
  }

  /** One round: ends some of the expired invitations. A failure does not stop the others; the promise rejects with all failures at the end. */
  async endExpired(): Promise<void> {
    const now = this.clock.now();
    await this.rounds.run(
      (after) => this.queries.execute(new ExpiredInvitations(now, after, ENDS_PER_ROUND)),
      (row) => this.expire(row, now),
    );
  }

  /** Ends the invitation of an address whose user is erased. */
  async forget(email: string): Promise<void> {
    const addressHash = this.addresses.hashOf(email);
    const open = await this.openAt(addressHash);
    if (open === null) return;
    await this.execute(addressHash, { type: 'Forget' });
    await this.shred(open.invitationId);
  }

  /** Destroys the key of an invitation that has ended. A policy repeats this, in case the process ended before doing it. */
  async shred(invitationId: string): Promise<void> {
    await this.vault.shred(invitationSubject(invitationId).id);
  }

  /** An invitation as administrators see it. Null if it ended meanwhile. */
  async opened({ invitation_id, email, first_name, last_name, groups, invited_by, create_time, expires_at }: InvitationRow) {
    const [address, first, last] = await Promise.all([email, first_name, last_name].map((text) => text && this.vault.open(text as Sealed)));
    if (!address) return null;
    const names = { email: address, first_name: first ?? null, last_name: last ?? null };
    return { invitation_id, ...names, groups, invited_by, create_time, expires_at: Instant.toSeconds(expires_at) };
  }

  /**
   * Whether an earlier attempt of the same request has created the user, and the process ended before the answer. Another request has
   * another user ID.
   */
  private async isRepeat(userId: string, { id, hash }: ShownToken): Promise<boolean> {
    if (this.tokens.of('invitation', id, id).hash !== hash) return false;
    return (await this.streams.load(user, userStream(userId))).status === 'registered';
  }

  private async expire({ address_hash, invitation_id: invitationId }: InvitationRow, now: Instant): Promise<void> {
    await this.execute(address_hash, { type: 'Expire', invitationId, now });
    await this.shred(invitationId);
  }

  private async isTakenByOther(email: string, userId: string | null): Promise<boolean> {
    const holder = await this.addresses.holderOf(email);
    return holder !== null && holder !== userId;
  }

  private async openAt(addressHash: string): Promise<OpenInvitation | null> {
    return (await this.streams.load(invitations, invitationsStream(addressHash))).open;
  }

  private execute(addressHash: string, command: InvitationsCommand) {
    return this.commands.execute(new ExecuteInvitations(addressHash, command));
  }

  private async seal(invitationId: string, text: string): Promise<Sealed> {
    try {
      return await this.vault.seal(invitationSubject(invitationId), text);
    } catch (error) {
      if (!(error instanceof Shredded)) throw error;
      throw refuse('conflict', 'invitation_ended', 'This invitation has ended. Send the request again with another Idempotency-Key.');
    }
  }

  /**
   * The groups of the new user: without groups deleted since the invitation, and without Admin if the inviting administrator is no longer
   * an Admin.
   */
  private async groupsOf({ groups, creations }: OpenInvitation, invitedBy: string | null): Promise<string[]> {
    const made = await this.madeGroups();
    const kept = groups.filter((group, at) => isSameGroup(made, group, creations?.[at]));
    if (!kept.includes('Admin')) return kept;
    const inviter = invitedBy === null ? null : await this.streams.load(user, userStream(invitedBy));
    return inviter !== null && isActiveAdmin(inviter) ? kept : kept.filter((group) => group !== 'Admin');
  }

  private madeGroups(): Promise<Groups> {
    return this.streams.load(groupsDecider, groupsStream);
  }
}

const emailTaken = () => refuse('conflict', 'email_taken', 'Another user has this e-mail address.');
