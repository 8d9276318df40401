const text = { type: 'string' } as const;
const epochSeconds = { type: 'integer', description: 'Time in epoch seconds.' } as const;
const epochSecondsOrNull = { type: ['integer', 'null'], description: 'Time in epoch seconds.' } as const;
const secret = { type: 'string', 'x-secret': true } as const;

const list = (name: string, item: object) =>
  ({
    type: 'object',
    required: [name, 'next_token'],
    properties: { [name]: { type: 'array', items: item }, next_token: { type: ['string', 'null'] } },
  }) as const;

/** A user as they see themselves, and as administrators see them. */
export const userAnswer = {
  type: 'object',
  required: ['user_id', 'email', 'email_verified', 'first_name', 'last_name', 'groups', 'enabled', 'create_time', 'last_sign_in_time'],
  properties: {
    user_id: text,
    email: text,
    email_verified: {
      type: 'boolean',
      description: 'Whether an OpenID Connect provider, a SCIM client or an administrator has verified the e-mail address.',
    },
    first_name: text,
    last_name: text,
    groups: { type: 'array', items: text },
    enabled: { type: 'boolean' },
    create_time: epochSeconds,
    last_sign_in_time: epochSecondsOrNull,
  },
} as const;

export const createdUserAnswer = {
  ...userAnswer,
  properties: {
    ...userAnswer.properties,
    temporary_password: {
      ...secret,
      description:
        'Temporary password. Only in this answer, and only if the request had no password. It must be changed at the first sign-in.',
    },
  },
} as const;

export const signedInAnswer = {
  type: 'object',
  required: ['access_token', 'expires_in', 'password_change_required', 'user'],
  properties: {
    access_token: secret,
    refresh_token: { ...secret, description: 'Refresh token for POST /auth/refresh. Absent with X-Parlance-Session: cookie.' },
    expires_in: { type: 'integer', description: 'Lifetime in seconds.' },
    password_change_required: {
      type: 'boolean',
      description: 'If true, the access token is valid only for POST /auth/password, POST /auth/sign-out and GET /user/me.',
    },
    user: userAnswer,
  },
} as const;

/** What others may see of a user. */
export const publicUserAnswer = {
  type: 'object',
  required: ['user_id', 'first_name', 'last_name'],
  properties: { user_id: text, first_name: text, last_name: text },
} as const;

export const foundUsersAnswer = list('users', publicUserAnswer);

export const sessionsAnswer = list('sessions', {
  type: 'object',
  required: ['session_id', 'via', 'create_time', 'last_used_time', 'ip_address', 'user_agent', 'current'],
  properties: {
    session_id: text,
    via: { type: 'string', description: 'Sign-in method: password, or the name of the OpenID Connect provider.' },
    create_time: epochSeconds,
    last_used_time: { ...epochSeconds, description: 'Time when the newest token was issued, in epoch seconds.' },
    ip_address: { type: ['string', 'null'] },
    user_agent: { type: ['string', 'null'] },
    current: { type: 'boolean', description: 'Whether this is the session of the request.' },
  },
});

export const groupAnswer = {
  type: 'object',
  required: ['name', 'built_in', 'create_time'],
  properties: { name: text, built_in: { type: 'boolean' }, create_time: epochSecondsOrNull },
} as const;

export const groupsAnswer = list('groups', groupAnswer);

export const resetOfferAnswer = {
  type: 'object',
  required: ['expires_in'],
  properties: {
    reset_token: { ...secret, description: 'Reset token. Only in the first answer to a request.' },
    expires_in: { type: 'integer', description: 'Lifetime in seconds.' },
  },
} as const;

export const receiptAnswer = {
  type: 'object',
  required: ['user_id', 'erased_at', 'erased'],
  properties: {
    user_id: text,
    erased_at: epochSeconds,
    erased: {
      type: 'array',
      items: {
        type: 'object',
        required: ['service', 'status', 'removed'],
        properties: {
          service: text,
          status: { enum: ['done', 'pending'], description: 'Status; pending if the service has not finished yet.' },
          removed: { type: 'object', additionalProperties: { type: 'integer' }, description: 'Number of removed items by kind.' },
        },
      },
    },
  },
} as const;

export const scimTokenAnswer = {
  type: 'object',
  required: ['token_id', 'description', 'created_by', 'create_time', 'expires_at'],
  properties: {
    token_id: text,
    description: text,
    created_by: { type: ['string', 'null'] },
    create_time: epochSeconds,
    expires_at: epochSecondsOrNull,
  },
} as const;

export const createdScimTokenAnswer = {
  ...scimTokenAnswer,
  required: [...scimTokenAnswer.required, 'token'],
  properties: { ...scimTokenAnswer.properties, token: { ...secret, description: 'SCIM token. Only in this answer.' } },
} as const;

export const scimTokensAnswer = list('scim_tokens', scimTokenAnswer);

export const authOptionsAnswer = {
  type: 'object',
  required: ['sign_up_enabled', 'allowed_sign_up_email_domains', 'providers'],
  properties: {
    sign_up_enabled: { type: 'boolean' },
    allowed_sign_up_email_domains: { type: 'array', items: text, description: 'E-mail domains that may sign up; empty allows all.' },
    providers: {
      type: 'array',
      description: 'OpenID Connect providers.',
      items: {
        type: 'object',
        required: ['id', 'name', 'start_url'],
        properties: { id: text, name: { ...text, description: 'Display name.' }, start_url: { ...text, format: 'uri' } },
      },
    },
  },
} as const;
