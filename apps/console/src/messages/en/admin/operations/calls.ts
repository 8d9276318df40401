export const adminCalls = {
  title: 'Calls',
  description:
    'Calls of models by programs, without a bot, of all users and service accounts. Viewing this page is recorded in the audit log.',
  start:
    'Programs need an access token with the permission “Call models without a bot”. Users create it on their account page, under “API access”.',
  ofUser: 'Show only the calls of this user',
  withToken: 'Show only the calls with this token',
};
