import type { FactoryProvider } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MasterKey } from '@parlance/privacy';
import { Config } from '@parlance/config';
import { type Host, LOGGER, Streams } from '@parlance/foundation';
import type { Logger } from '@parlance/observability';
import { OidcProviders } from './adapters/oidc-providers.ts';
import { Addresses } from './workflows/addresses.ts';
import { Administration } from './workflows/administration.ts';
import { ExternalSignIn } from './workflows/external-sign-in.ts';
import { MappedGroups } from './workflows/mapped-groups.ts';
import { Registration } from './workflows/registration.ts';
import { Sessions } from './workflows/sessions.ts';
import { OidcController } from './http/sign-in/oidc.controller.ts';
import { OidcCookie } from './http/sign-in/oidc-cookie.ts';

/** Signing in through OpenID Connect: parts of identity's module, which has what they rest on. */
export function oidcParts(host: Host): { controllers: [typeof OidcController]; providers: FactoryProvider[] } {
  const providers = new OidcProviders(host.config);
  host.shutdown.stop('background', 'identity: OpenID Connect', () => providers.close());
  return {
    controllers: [OidcController],
    providers: [
      { provide: OidcProviders, useFactory: () => providers },
      {
        provide: OidcCookie,
        useFactory: (master: MasterKey, { publicBaseUrl }: Config) => new OidcCookie(master.derive('oidc-journeys'), publicBaseUrl),
        inject: [MasterKey, Config],
      },
      {
        provide: MappedGroups,
        useFactory: (streams: Streams, administration: Administration, log: Logger) => new MappedGroups(streams, administration, log),
        inject: [Streams, Administration, LOGGER],
      },
      {
        provide: ExternalSignIn,
        useFactory: (
          commands: CommandBus,
          streams: Streams,
          addresses: Addresses,
          registration: Registration,
          groups: MappedGroups,
          sessions: Sessions,
          master: MasterKey,
          { autoJoinUserGroups }: Config,
        ) =>
          new ExternalSignIn(
            commands,
            streams,
            addresses,
            registration,
            groups,
            sessions,
            autoJoinUserGroups,
            master.derive('external-identities'),
          ),
        inject: [CommandBus, Streams, Addresses, Registration, MappedGroups, Sessions, MasterKey, Config],
      },
    ],
  };
}
