import type { Provider, Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RevocationFeed } from '@parlance/revocation';
import { Config } from '@parlance/config';
import { Addresses } from './workflows/addresses.ts';
import { Administration } from './workflows/administration.ts';
import { Provisioning } from './workflows/provisioning.ts';
import { Registration } from './workflows/registration.ts';
import { Sessions } from './workflows/sessions.ts';
import { SignIn } from './workflows/sign-in.ts';
import { UserChanges } from './workflows/user-changes.ts';
import { AdminScimTokensController } from './http/admin/admin-scim-tokens.controller.ts';
import { ScimDiscoveryController } from './http/scim/scim-discovery.controller.ts';
import { ScimGroupsController } from './http/scim/scim-groups.controller.ts';
import { ScimUsersController } from './http/scim/scim-users.controller.ts';
import { People } from './projections/people.ts';
import { ProvisionedUsers } from './projections/provisioned-users.ts';

/** Provisioning by SCIM: parts of identity's module, which has what they rest on. */
export const scimParts: { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] } = {
  controllers: [AdminScimTokensController, ScimUsersController, ScimGroupsController, ScimDiscoveryController],
  providers: [
    ProvisionedUsers,
    {
      provide: UserChanges,
      useFactory: (...parts: ConstructorParameters<typeof UserChanges>) => new UserChanges(...parts),
      inject: [Registration, Administration, Sessions, RevocationFeed, People],
    },
    {
      provide: Provisioning,
      useFactory: (...parts: [CommandBus, Addresses, Registration, UserChanges, Sessions, SignIn, People, Config]) => {
        const [bus, addresses, registration, changes, sessions, signIns, people, { scimEmailDomains }] = parts;
        return new Provisioning(bus, addresses, registration, changes, sessions, signIns, people, scimEmailDomains);
      },
      inject: [CommandBus, Addresses, Registration, UserChanges, Sessions, SignIn, People, Config],
    },
  ],
};
