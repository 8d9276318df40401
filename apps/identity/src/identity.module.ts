import { type DynamicModule, Module } from '@nestjs/common';
import { Upcasters } from '@parlance/event-store';
import { FoundationModule, handlersOf, type Host, RevocationsController, ServedRevocations } from '@parlance/foundation';
import { RevocationFeed } from '@parlance/revocation';
import { AccessTokens } from './adapters/access-tokens.ts';
import { OidcProviders } from './adapters/oidc-providers.ts';
import { Passwords } from './adapters/passwords.ts';
import { RefreshTokens } from './adapters/refresh-tokens.ts';
import { SessionClients } from './adapters/session-clients.ts';
import { commandHandlers } from './commands/aggregates.ts';
import { publishIdentity } from './contracts/identity-events.ts';
import { upcasts } from './domain/events.ts';
import { AdminGroupsController } from './http/admin/admin-groups.controller.ts';
import { AdminScimTokensController } from './http/admin/admin-scim-tokens.controller.ts';
import { AdminUsersController } from './http/admin/admin-users.controller.ts';
import { InternalImportsController } from './http/internal-imports.controller.ts';
import { InternalUsersController } from './http/internal-users.controller.ts';
import { KeysController } from './http/keys.controller.ts';
import { ScimDiscoveryController } from './http/scim/scim-discovery.controller.ts';
import { ScimGroupsController } from './http/scim/scim-groups.controller.ts';
import { ScimUsersController } from './http/scim/scim-users.controller.ts';
import { AuthController } from './http/sign-in/auth.controller.ts';
import { OidcController } from './http/sign-in/oidc.controller.ts';
import { OidcCookie } from './http/sign-in/oidc-cookie.ts';
import { PasswordController } from './http/sign-in/password.controller.ts';
import { SessionController } from './http/sign-in/session.controller.ts';
import { SessionCookie } from './http/sign-in/session-cookie.ts';
import { UserController } from './http/user.controller.ts';
import { EndSessionsThatAreOver } from './policies/end-sessions-that-are-over.ts';
import { FinishErasureWhenUserErased } from './policies/finish-erasure-when-user-erased.ts';
import { LeaveGroupsThatAreGone } from './policies/leave-groups-that-are-gone.ts';
import { MakeFirstAdminOnFirstStart } from './policies/make-first-admin-on-first-start.ts';
import { RotateSigningKeysWhenTheyAreOld } from './policies/rotate-signing-keys-when-they-are-old.ts';
import { SeatAdminsOnStart } from './policies/seat-admins-on-start.ts';
import { WarnOfAutoJoinOnStart } from './policies/warn-of-auto-join-on-start.ts';
import { AllGroups, customGroups } from './projections/groups.ts';
import { PeopleIndex } from './projections/people-index.ts';
import { People } from './projections/people.ts';
import { ProvisionedUsers } from './projections/provisioned-users.ts';
import { revocations } from './projections/revocations.ts';
import { AllScimTokens, scimTokens } from './projections/scim-tokens.ts';
import { ExpiredSessions, sessions, SessionsOfUser } from './projections/sessions.ts';
import { UserById, users, UsersAfter, UsersById, UsersChangedAfter } from './projections/users.ts';
import { Addresses } from './workflows/addresses.ts';
import { AdminSeats } from './workflows/admin-seats.ts';
import { Erasure } from './workflows/erasure.ts';
import { ExternalSignIn } from './workflows/external-sign-in.ts';
import { MappedGroups } from './workflows/mapped-groups.ts';
import { Provisioning } from './workflows/provisioning.ts';
import { Registration } from './workflows/registration.ts';
import { Sessions } from './workflows/sessions.ts';
import { SignIn } from './workflows/sign-in.ts';
import { UserChanges } from './workflows/user-changes.ts';
import { UserImports } from './workflows/user-imports.ts';

const forUsers = [AuthController, OidcController, PasswordController, SessionController, UserController];
const forAdmins = [AdminUsersController, AdminGroupsController, AdminScimTokensController];
const forProvisioning = [ScimUsersController, ScimGroupsController, ScimDiscoveryController];
const forServices = [InternalImportsController, InternalUsersController, KeysController, RevocationsController];
const onEvents = [FinishErasureWhenUserErased, LeaveGroupsThatAreGone, EndSessionsThatAreOver];
const onStart = [WarnOfAutoJoinOnStart, SeatAdminsOnStart, RotateSigningKeysWhenTheyAreOld, MakeFirstAdminOnFirstStart];
const workflows = [
  Addresses,
  AdminSeats,
  Erasure,
  ExternalSignIn,
  MappedGroups,
  Provisioning,
  Registration,
  Sessions,
  SignIn,
  UserChanges,
  UserImports,
];
const queries = [
  ...handlersOf(UserById, UsersAfter, UsersById, UsersChangedAfter, SessionsOfUser, ExpiredSessions, AllGroups, AllScimTokens),
  People,
  PeopleIndex,
  ProvisionedUsers,
];

@Module({})
export class IdentityModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: IdentityModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'identity',
          projections: [users, sessions, customGroups, scimTokens, revocations],
          publish: publishIdentity,
          upcasters: new Upcasters(upcasts),
          keepsUserKeys: true,
        }),
      ],
      controllers: [...forUsers, ...forAdmins, ...forServices, ...onEvents, ...forProvisioning],
      providers: [
        ...commandHandlers,
        ...queries,
        ...workflows,
        ...onStart,
        AccessTokens,
        OidcCookie,
        OidcProviders,
        Passwords,
        RefreshTokens,
        SessionClients,
        SessionCookie,
        { provide: RevocationFeed, useClass: ServedRevocations },
      ],
    };
  }
}
