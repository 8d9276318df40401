import { type DynamicModule, Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EventStore, Upcasters } from '@parlance/event-store';
import { MasterKey, Vault } from '@parlance/privacy';
import { Projector } from '@parlance/read-models';
import { RevocationFeed } from '@parlance/revocation';
import { Clock, FoundationModule, handlersOf, type Host, LOGGER, Streams, Timers } from '@parlance/foundation';
import { Config } from '@parlance/config';
import { ServiceCalls } from '@parlance/calls';
import type { Logger } from '@parlance/observability';
import { AccessTokens } from './adapters/access-tokens.ts';
import { Passwords } from './adapters/passwords.ts';
import { RefreshTokens } from './adapters/refresh-tokens.ts';
import { SessionClients } from './adapters/session-clients.ts';
import { revocationFeed } from './adapters/revocation-feed.ts';
import { Addresses } from './workflows/addresses.ts';
import { Administration } from './workflows/administration.ts';
import { commandHandlers } from './commands/aggregates.ts';
import { Erasure } from './workflows/erasure.ts';
import { Registration } from './workflows/registration.ts';
import { Sessions } from './workflows/sessions.ts';
import { SignIn } from './workflows/sign-in.ts';
import { publishIdentity } from './contracts/identity-events.ts';
import { upcasts } from './domain/events.ts';
import { AdminGroupsController } from './http/admin/admin-groups.controller.ts';
import { AdminUsersController } from './http/admin/admin-users.controller.ts';
import { AuthController } from './http/sign-in/auth.controller.ts';
import { KeysController } from './http/keys.controller.ts';
import { PasswordController } from './http/sign-in/password.controller.ts';
import { RevocationsController } from './http/revocations.controller.ts';
import { SessionCookie } from './http/sign-in/session-cookie.ts';
import { SessionController } from './http/sign-in/session.controller.ts';
import { UserController } from './http/user.controller.ts';
import { oidcParts } from './oidc.module.ts';
import { EndSessionsThatAreOver } from './policies/end-sessions-that-are-over.ts';
import { FinishErasureWhenUserErased } from './policies/finish-erasure-when-user-erased.ts';
import { LeaveGroupsThatAreGone } from './policies/leave-groups-that-are-gone.ts';
import { MakeFirstAdminOnFirstStart } from './policies/make-first-admin-on-first-start.ts';
import { RotateSigningKeysWhenTheyAreOld } from './policies/rotate-signing-keys-when-they-are-old.ts';
import { SeatAdminsOnStart } from './policies/seat-admins-on-start.ts';
import { WarnOfAutoJoinOnStart } from './policies/warn-of-auto-join-on-start.ts';
import { customGroups, AllGroups } from './projections/groups.ts';
import { PeopleIndex } from './projections/people-index.ts';
import { People } from './projections/people.ts';
import { revocations } from './projections/revocations.ts';
import { AllScimTokens, scimTokens } from './projections/scim-tokens.ts';
import { ExpiredSessions, SessionsOfUser, sessions } from './projections/sessions.ts';
import { UserById, UsersAfter, UsersChangedAfter, users } from './projections/users.ts';
import { scimParts } from './scim.module.ts';

const queries = [
  ...handlersOf(UserById, UsersAfter, UsersChangedAfter, SessionsOfUser, ExpiredSessions, AllGroups, AllScimTokens),
  People,
  PeopleIndex,
];
const projections = [users, sessions, customGroups, scimTokens, revocations];

@Module({})
export class IdentityModule {
  static async of(host: Host): Promise<DynamicModule> {
    const oidc = oidcParts(host);
    return {
      module: IdentityModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'identity',
          projections,
          publish: publishIdentity,
          upcasters: new Upcasters(upcasts),
          keepsUserKeys: true,
        }),
      ],
      controllers: [
        AuthController,
        PasswordController,
        SessionController,
        UserController,
        AdminUsersController,
        AdminGroupsController,
        KeysController,
        RevocationsController,
        FinishErasureWhenUserErased,
        LeaveGroupsThatAreGone,
        EndSessionsThatAreOver,
        ...oidc.controllers,
        ...scimParts.controllers,
      ],
      providers: [
        ...commandHandlers,
        ...queries,
        ...oidc.providers,
        ...scimParts.providers,
        { provide: Passwords, useFactory: () => new Passwords() },
        {
          provide: SessionCookie,
          useFactory: ({ publicBaseUrl, sessionValidDays }: Config) => new SessionCookie(publicBaseUrl, sessionValidDays),
          inject: [Config],
        },
        {
          provide: RefreshTokens,
          useFactory: (master: MasterKey) => new RefreshTokens(master.derive('refresh-tokens')),
          inject: [MasterKey],
        },
        revocationFeed(host, revocations),
        {
          provide: AccessTokens,
          useFactory: (bus: CommandBus, streams: Streams, master: MasterKey, config: Config) =>
            new AccessTokens(bus, streams, master, config.tokenValidMinutes),
          inject: [CommandBus, Streams, MasterKey, Config],
        },
        made(Administration, [CommandBus, Streams]),
        {
          provide: Addresses,
          useFactory: (bus: CommandBus, streams: Streams, vault: Vault, clock: Clock, master: MasterKey) =>
            new Addresses(bus, streams, vault, clock, master.derive('email-claims')),
          inject: [CommandBus, Streams, Vault, Clock, MasterKey],
        },
        made(Registration, [CommandBus, Streams, Addresses, Administration, Vault, Passwords]),
        {
          provide: Sessions,
          useFactory: (
            ...parts: [CommandBus, QueryBus, Streams, AccessTokens, RefreshTokens, Vault, RevocationFeed, People, Clock, Config]
          ) => {
            const [bus, asked, streams, access, refresh, vault, feed, people, clock, config] = parts;
            const clients = new SessionClients(vault);
            return new Sessions(bus, asked, streams, access, refresh, clients, feed, people, clock, config.sessionValidDays);
          },
          inject: [CommandBus, QueryBus, Streams, AccessTokens, RefreshTokens, Vault, RevocationFeed, People, Clock, Config],
        },
        made(SignIn, [CommandBus, Streams, Addresses, Registration, Sessions, Clock]),
        made(Erasure, [CommandBus, Streams, Administration, Addresses, Sessions, RevocationFeed, Vault, ServiceCalls, Clock]),
        {
          provide: WarnOfAutoJoinOnStart,
          useFactory: (config: Config, log: Logger) => new WarnOfAutoJoinOnStart(config, log),
          inject: [Config, LOGGER],
        },
        made(SeatAdminsOnStart, [QueryBus, EventStore, Projector, Streams, Administration]),
        {
          provide: RotateSigningKeysWhenTheyAreOld,
          useFactory: (tokens: AccessTokens, clock: Clock, timers: Timers, { signingKeyDays }: Config) =>
            new RotateSigningKeysWhenTheyAreOld(tokens, clock, timers, signingKeyDays),
          inject: [AccessTokens, Clock, Timers, Config],
        },
        {
          provide: MakeFirstAdminOnFirstStart,
          useFactory: (bus: CommandBus, registration: Registration, administration: Administration, config: Config) =>
            new MakeFirstAdminOnFirstStart(bus, registration, administration, {
              email: config.adminEmail ?? 'admin@parlance.local',
              ...(config.adminPassword !== null && { password: config.adminPassword }),
            }),
          inject: [CommandBus, Registration, Administration, Config],
        },
      ],
    };
  }
}

/** A provider whose constructor takes just what is injected, in this order. */
function made<Parts extends readonly unknown[], Made>(
  type: new (...parts: Parts) => Made,
  inject: { readonly [Place in keyof Parts]: abstract new (...args: never[]) => Parts[Place] },
) {
  return { provide: type, useFactory: (...parts: Parts) => new type(...parts), inject: [...inject] };
}
