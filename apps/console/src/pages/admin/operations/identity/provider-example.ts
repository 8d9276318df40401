/** A provider in parlance.config.json. The name `acme` is part of its addresses. */
export const PROVIDER_EXAMPLE = JSON.stringify(
  {
    oidcProviders: {
      acme: {
        name: 'Acme Inc.',
        issuer: 'https://id.example.org/realms/acme',
        client_id: 'parlance',
        client_secret: '…',
        scopes: ['openid', 'email', 'profile'],
        groups_claim: 'groups',
        group_mapping: { 'parlance-admins': 'Admin', authors: 'CreatingBotAllowed' },
      },
    },
  },
  null,
  2,
);
