import type { MailTexts } from './mail-texts.ts';

export const en: MailTexts = {
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  chosen: 'You are getting this mail because you turned on e-mails about notifications. You can turn them off on your Account page.',
  mails: {
    email_verification: {
      subject: 'Confirm your e-mail address',
      body: 'Open the link to confirm your e-mail address. If you did not sign up, ignore this mail.',
      link: 'Confirm the address',
    },
    invitation: {
      subject: 'Invitation to Parlance',
      body: 'An administrator has invited you. Open the link to choose a password.',
      link: 'Accept the invitation',
    },
    password_reset: {
      subject: 'Choose a new password',
      body: 'Open the link to choose a new password. If you did not ask for this, ignore this mail. Your password stays the same.',
      link: 'Choose a password',
    },
    password_changed: {
      subject: 'Your password has changed',
      body: 'The password of your account has changed. If you did not do this, contact an administrator now.',
      link: '',
    },
    second_factor_added: {
      subject: 'A second factor was added',
      body: 'A second factor was added to your account. If you did not do this, contact an administrator now.',
      link: '',
    },
    second_factor_removed: {
      subject: 'A second factor was removed',
      body: 'A second factor was removed from your account. If you did not do this, contact an administrator now.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Your second factors were removed',
      body: 'All second factors of your account were removed. If you did not ask for this, contact an administrator now.',
      link: '',
    },
    token_created: {
      subject: 'A personal access token was created',
      body: 'A personal access token was created for your account. Programs can act for you with it. If you did not do this, contact an administrator now.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Most of your budget is spent',
      body: 'At least 80 % of your budget is spent. The usage page shows how much is left, and when the next period begins.',
      link: '',
    },
    budget_reached: {
      subject: 'Your budget is reached',
      body: 'The rest of your budget is not enough for the next message. The usage page shows when the next period begins.',
      link: '',
    },
    own_export_ready: {
      subject: 'Your data is ready',
      body: 'The export of your data is ready. Sign in to download the file. It is kept for a day. If you did not ask for this, contact an administrator now.',
      link: 'Open the page Your data',
    },
    own_export_ready_by_admin: {
      subject: 'An administrator has exported your data for you',
      body: 'An administrator has asked for an export of your data. Only you can download the file: sign in within a day.',
      link: 'Open the page Your data',
    },
    bot_shared: {
      subject: 'A bot was shared with you',
      body: 'A bot was shared with you.',
      link: 'Open the bot',
    },
    prompt_shared: {
      subject: 'A prompt was shared with you',
      body: 'A prompt was shared with you.',
      link: 'Open the prompt',
    },
    project_shared: {
      subject: 'A project was shared with you',
      body: 'You have been added to a project.',
      link: 'Open the project',
    },
    approval_wanted: {
      subject: 'A reply is waiting for your approval',
      body: 'A reply in one of your chats is waiting for you to approve or deny what a tool wants to do.',
      link: 'Open the chat',
    },
    budget_threshold: {
      subject: 'A budget is nearly spent',
      body: 'At least 80 % of a budget is spent.',
      link: 'Open the budgets',
    },
    budget_spent: {
      subject: 'A budget is spent',
      body: 'The rest of a budget is not enough for the next message or call.',
      link: 'Open the budgets',
    },
  },
};
