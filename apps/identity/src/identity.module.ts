import { type DynamicModule, Module } from '@nestjs/common';
import { Upcasters } from '@parlance/event-store';
import { FoundationModule, type Host, RevocationsController, ServedRevocations } from '@parlance/foundation';
import { RevocationFeed } from '@parlance/revocation';
import { AccessTokens } from './adapters/access-tokens.ts';
import { ChallengeTokens } from './adapters/factors/challenge-tokens.ts';
import { Passkeys } from './adapters/factors/passkeys.ts';
import { RecoveryCodes } from './adapters/factors/recovery-codes.ts';
import { LinkTokens } from './adapters/mail/link-tokens.ts';
import { MailServer } from './adapters/mail/mail-server.ts';
import { OidcProviders } from './adapters/oidc-providers.ts';
import { Passwords } from './adapters/passwords.ts';
import { RefreshTokens } from './adapters/refresh-tokens.ts';
import { SessionClients } from './adapters/session-clients.ts';
import { publishIdentity } from './contracts/identity-events.ts';
import { upcasts } from './domain/events.ts';
import { AdminGroupsController } from './http/admin/admin-groups.controller.ts';
import { AdminInvitationsController } from './http/admin/admin-invitations.controller.ts';
import { AdminScimTokensController } from './http/admin/admin-scim-tokens.controller.ts';
import { AdminUsersController } from './http/admin/admin-users.controller.ts';
import { HoldsController } from './http/admin/holds.controller.ts';
import { FactorsController } from './http/factors/factors.controller.ts';
import { InternalStepUpsController } from './http/factors/internal-step-ups.controller.ts';
import { PasskeysController } from './http/factors/passkeys.controller.ts';
import { SecondFactorController } from './http/factors/second-factor.controller.ts';
import { InternalHoldsController } from './http/internal-holds.controller.ts';
import { InternalImportsController } from './http/internal-imports.controller.ts';
import { InternalUsersController } from './http/internal-users.controller.ts';
import { KeysController } from './http/keys.controller.ts';
import { ScimDiscoveryController } from './http/scim/scim-discovery.controller.ts';
import { ScimGroupsController } from './http/scim/scim-groups.controller.ts';
import { ScimUsersController } from './http/scim/scim-users.controller.ts';
import { AuthController } from './http/sign-in/auth.controller.ts';
import { EmailVerificationController } from './http/sign-in/email-verification.controller.ts';
import { InvitationController } from './http/sign-in/invitation.controller.ts';
import { OidcController } from './http/sign-in/oidc.controller.ts';
import { OidcCookie } from './http/sign-in/oidc-cookie.ts';
import { PasswordController } from './http/sign-in/password.controller.ts';
import { SessionController } from './http/sign-in/session.controller.ts';
import { SessionCookie } from './http/sign-in/session-cookie.ts';
import { AdminTokensController } from './http/tokens/admin-tokens.controller.ts';
import { DescribedTokensController } from './http/tokens/described-tokens.controller.ts';
import { InternalTokensController } from './http/tokens/internal-tokens.controller.ts';
import { PersonalTokensController } from './http/tokens/personal-tokens.controller.ts';
import { ServiceAccountTermsController } from './http/tokens/service-account-terms.controller.ts';
import { ServiceAccountsController } from './http/tokens/service-accounts.controller.ts';
import { UserController } from './http/user.controller.ts';
import { EndInvitationsThatExpire } from './policies/end-invitations-that-expire.ts';
import { EndSessionsThatAreOver } from './policies/end-sessions-that-are-over.ts';
import { FinishErasureWhenUserErased } from './policies/finish-erasure-when-user-erased.ts';
import { LeaveGroupsThatAreGone } from './policies/leave-groups-that-are-gone.ts';
import { MailNotificationWhenChosen } from './policies/mail-notification-when-chosen.ts';
import { MailWarningWhenAccountChanges } from './policies/mail-warning-when-account-changes.ts';
import { MakeFirstAdminOnFirstStart } from './policies/make-first-admin-on-first-start.ts';
import { SendInvitationWhenMade } from './policies/send-invitation-when-made.ts';
import { RepeatErasures } from './policies/repeat-erasures.ts';
import { SettleHoldsThatAreOver } from './policies/settle-holds-that-are-over.ts';
import { SeatAdminsOnStart } from './policies/seat-admins-on-start.ts';
import { WarnOfAutoJoinOnStart } from './policies/warn-of-auto-join-on-start.ts';
import { customGroups } from './projections/groups.ts';
import { verificationRequests } from './projections/email-verifications.ts';
import { invitations } from './projections/invitations.ts';
import { holdList } from './projections/holds.ts';
import { mails } from './projections/mails.ts';
import { resetRequests } from './projections/reset-requests.ts';
import { PeopleIndex } from './projections/people-index.ts';
import { People } from './projections/people.ts';
import { personalTokens } from './projections/personal-tokens.ts';
import { ProvisionedUsers } from './projections/provisioned-users.ts';
import { revocations } from './projections/revocations.ts';
import { scimTokens } from './projections/scim-tokens.ts';
import { serviceAccounts } from './projections/service-accounts.ts';
import { sessions } from './projections/sessions.ts';
import { users } from './projections/users.ts';
import { Addresses } from './workflows/addresses.ts';
import { AdminSeats } from './workflows/admin-seats.ts';
import { ChosenGroups } from './workflows/chosen-groups.ts';
import { Erasure } from './workflows/erasure.ts';
import { Holds } from './workflows/holds/holds.ts';
import { ExternalSignIn } from './workflows/external-sign-in.ts';
import { EnrolmentProof } from './workflows/factors/enrolment-proof.ts';
import { PasskeyClaims } from './workflows/factors/passkey-claims.ts';
import { PasskeyDetails } from './workflows/factors/passkey-details.ts';
import { PasskeyEnrolment } from './workflows/factors/passkey-enrolment.ts';
import { PasskeySignIn } from './workflows/factors/passkey-sign-in.ts';
import { SecondFactors } from './workflows/factors/second-factors.ts';
import { SecondStep } from './workflows/factors/second-step.ts';
import { TotpEnrolment } from './workflows/factors/totp-enrolment.ts';
import { EmailVerifications } from './workflows/mail/email-verifications.ts';
import { Invitations } from './workflows/mail/invitations.ts';
import { MailContents } from './workflows/mail/mail-contents.ts';
import { MailsOfEvents } from './workflows/mail/mails-of-events.ts';
import { NotificationSubjects } from './workflows/mail/notification-subjects.ts';
import { PasswordResets } from './workflows/mail/password-resets.ts';
import { Mails } from './workflows/mail/mails.ts';
import { MappedGroups } from './workflows/mapped-groups.ts';
import { PersonalAccess } from './workflows/personal-access.ts';
import { Provisioning } from './workflows/provisioning.ts';
import { Registration } from './workflows/registration.ts';
import { Sessions } from './workflows/sessions.ts';
import { SignIn } from './workflows/sign-in.ts';
import { UserChanges } from './workflows/user-changes.ts';
import { UserImports } from './workflows/user-imports.ts';

const forUsers = [
  AuthController,
  EmailVerificationController,
  FactorsController,
  InvitationController,
  OidcController,
  PasskeysController,
  PasswordController,
  PersonalTokensController,
  SecondFactorController,
  SessionController,
  UserController,
];
const forAdmins = [
  AdminUsersController,
  AdminGroupsController,
  AdminInvitationsController,
  AdminScimTokensController,
  AdminTokensController,
  HoldsController,
  ServiceAccountsController,
  ServiceAccountTermsController,
];
const forProvisioning = [ScimUsersController, ScimGroupsController, ScimDiscoveryController];
const forServices = [
  InternalHoldsController,
  InternalImportsController,
  InternalStepUpsController,
  InternalUsersController,
  InternalTokensController,
  DescribedTokensController,
  KeysController,
  RevocationsController,
];
const onEvents = [
  FinishErasureWhenUserErased,
  LeaveGroupsThatAreGone,
  EndSessionsThatAreOver,
  EndInvitationsThatExpire,
  MailNotificationWhenChosen,
  MailWarningWhenAccountChanges,
  SendInvitationWhenMade,
];
const onStart = [WarnOfAutoJoinOnStart, SeatAdminsOnStart, MakeFirstAdminOnFirstStart, RepeatErasures, SettleHoldsThatAreOver];
const workflows = [
  Addresses,
  AdminSeats,
  ChosenGroups,
  EmailVerifications,
  EnrolmentProof,
  Erasure,
  ExternalSignIn,
  Invitations,
  MailContents,
  Holds,
  Mails,
  MailsOfEvents,
  MappedGroups,
  NotificationSubjects,
  PasskeyClaims,
  PasskeyDetails,
  PasskeyEnrolment,
  PasskeySignIn,
  PasswordResets,
  PersonalAccess,
  Provisioning,
  Registration,
  SecondFactors,
  SecondStep,
  Sessions,
  SignIn,
  TotpEnrolment,
  UserChanges,
  UserImports,
];
const queries = [People, PeopleIndex, ProvisionedUsers];

@Module({})
export class IdentityModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: IdentityModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'identity',
          projections: [
            users,
            sessions,
            customGroups,
            scimTokens,
            personalTokens,
            serviceAccounts,
            mails,
            resetRequests,
            verificationRequests,
            invitations,
            holdList,
            revocations,
          ],
          publish: publishIdentity,
          upcasters: new Upcasters(upcasts),
          keepsUserKeys: true,
        }),
      ],
      controllers: [...forUsers, ...forAdmins, ...forServices, ...onEvents, ...forProvisioning],
      providers: [
        ...queries,
        ...workflows,
        ...onStart,
        AccessTokens,
        ChallengeTokens,
        LinkTokens,
        MailServer,
        OidcCookie,
        OidcProviders,
        Passkeys,
        Passwords,
        RecoveryCodes,
        RefreshTokens,
        SessionClients,
        SessionCookie,
        { provide: RevocationFeed, useClass: ServedRevocations },
      ],
    };
  }
}
