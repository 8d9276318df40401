import type { MailTexts } from './mail-texts.ts';

export const fr: MailTexts = {
  greeting: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  chosen: 'Vous recevez cet e-mail parce que vous avez activé les e-mails de notification. Vous pouvez les désactiver sur la page Compte.',
  mails: {
    email_verification: {
      subject: 'Confirmez votre adresse e-mail',
      body: 'Ouvrez le lien pour confirmer votre adresse e-mail. Si vous n’avez pas créé de compte, ignorez cet e-mail.',
      link: 'Confirmer l’adresse',
    },
    invitation: {
      subject: 'Invitation à rejoindre Parlance',
      body: 'Un administrateur vous invite. Ouvrez le lien pour choisir un mot de passe.',
      link: 'Accepter l’invitation',
    },
    password_reset: {
      subject: 'Choisissez un nouveau mot de passe',
      body: 'Ouvrez le lien pour choisir un nouveau mot de passe. Si vous n’avez pas fait cette demande, ignorez cet e-mail. Votre mot de passe ne change pas.',
      link: 'Choisir un mot de passe',
    },
    password_changed: {
      subject: 'Votre mot de passe a été modifié',
      body: 'Le mot de passe de votre compte a été modifié. Si vous n’êtes pas à l’origine de cette modification, contactez immédiatement un administrateur.',
      link: '',
    },
    second_factor_added: {
      subject: 'Un second facteur a été ajouté',
      body: 'Un second facteur a été ajouté à votre compte. Si vous n’êtes pas à l’origine de cet ajout, contactez immédiatement un administrateur.',
      link: '',
    },
    second_factor_removed: {
      subject: 'Un second facteur a été supprimé',
      body: 'Un second facteur de votre compte a été supprimé. Si vous n’êtes pas à l’origine de cette suppression, contactez immédiatement un administrateur.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Vos seconds facteurs ont été supprimés',
      body: 'Tous les seconds facteurs de votre compte ont été supprimés. Si vous n’avez pas fait cette demande, contactez immédiatement un administrateur.',
      link: '',
    },
    token_created: {
      subject: 'Un jeton d’accès personnel a été créé',
      body: 'Un jeton d’accès personnel a été créé pour votre compte. Des programmes peuvent agir en votre nom avec ce jeton. Si vous n’êtes pas à l’origine de cette création, contactez immédiatement un administrateur.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Votre budget est en grande partie dépensé',
      body: 'Au moins 80 % de votre budget est dépensé. La page Utilisation indique ce qu’il en reste et quand la prochaine période commence.',
      link: '',
    },
    budget_reached: {
      subject: 'Votre budget est atteint',
      body: 'Le reste de votre budget ne suffit pas pour le prochain message. La page Utilisation indique quand la prochaine période commence.',
      link: '',
    },
    own_export_ready: {
      subject: 'Vos données sont prêtes',
      body: 'L’export de vos données est prêt. Connectez-vous pour télécharger le fichier. Il est conservé pendant 24 heures. Si vous n’avez pas fait cette demande, contactez immédiatement un administrateur.',
      link: 'Ouvrir la page Vos données',
    },
    own_export_ready_by_admin: {
      subject: 'Un administrateur a exporté vos données pour vous',
      body: 'Un administrateur a demandé un export de vos données. Personne d’autre que vous ne peut télécharger le fichier : connectez-vous dans les 24 heures.',
      link: 'Ouvrir la page Vos données',
    },
    bot_shared: {
      subject: 'Un bot a été partagé avec vous',
      body: 'Un bot a été partagé avec vous.',
      link: 'Ouvrir le bot',
    },
    prompt_shared: {
      subject: 'Un prompt a été partagé avec vous',
      body: 'Un prompt a été partagé avec vous.',
      link: 'Ouvrir le prompt',
    },
    project_shared: {
      subject: 'Un projet a été partagé avec vous',
      body: 'Vous avez été ajouté à un projet.',
      link: 'Ouvrir le projet',
    },
    approval_wanted: {
      subject: 'Une réponse attend votre approbation',
      body: 'Dans l’une de vos conversations, une réponse attend que vous approuviez ou refusiez ce qu’un outil veut faire.',
      link: 'Ouvrir la conversation',
    },
    budget_threshold: {
      subject: 'Un budget est presque épuisé',
      body: 'Au moins 80 % d’un budget est dépensé.',
      link: 'Ouvrir les budgets',
    },
    budget_spent: {
      subject: 'Un budget est épuisé',
      body: 'Le reste d’un budget ne suffit pas pour le prochain message ou appel.',
      link: 'Ouvrir les budgets',
    },
  },
};
