const OF_ALL = ['caller-statements', 'page-tokens', 'user-keys'];
const OF_FILES = 'file-addresses';

/** The purposes for which each service derives keys from the master key. */
export const PURPOSES: Readonly<Record<string, readonly string[]>> = {
  identity: [
    ...OF_ALL,
    'email-claims',
    'external-identities',
    'mailed-invitation-tokens',
    'mailed-reset-tokens',
    'mailed-verification-tokens',
    'oidc-journeys',
    'passkey-challenges',
    'passkey-credentials',
    'recovery-codes',
    'refresh-tokens',
    'second-factor-challenges',
  ],
  bots: [...OF_ALL, OF_FILES, 'prompt-commands'],
  publication: OF_ALL,
  inference: [...OF_ALL, OF_FILES],
  analytics: [...OF_ALL, OF_FILES, 'audit-trail', 'configuration'],
  edge: [...OF_ALL, OF_FILES, 'request-fingerprints'],
};
