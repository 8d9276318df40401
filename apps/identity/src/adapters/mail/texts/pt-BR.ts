import type { MailTexts } from './mail-texts.ts';

export const ptBr: MailTexts = {
  greeting: (name) => (name === '' ? 'Olá,' : `Olá, ${name},`),
  chosen: 'Você está recebendo este e-mail porque ativou as notificações por e-mail. Você pode desativá-las na página Conta.',
  mails: {
    email_verification: {
      subject: 'Confirme seu endereço de e-mail',
      body: 'Abra o link para confirmar seu endereço de e-mail. Se você não se cadastrou, ignore este e-mail.',
      link: 'Confirmar o e-mail',
    },
    invitation: {
      subject: 'Convite para o Parlance',
      body: 'Um administrador convidou você. Abra o link para escolher uma senha.',
      link: 'Aceitar o convite',
    },
    password_reset: {
      subject: 'Escolha uma nova senha',
      body: 'Abra o link para escolher uma nova senha. Se você não pediu isso, ignore este e-mail. Sua senha continua a mesma.',
      link: 'Escolher a senha',
    },
    password_changed: {
      subject: 'Sua senha foi alterada',
      body: 'A senha da sua conta foi alterada. Se não foi você, fale imediatamente com um administrador.',
      link: '',
    },
    second_factor_added: {
      subject: 'Um segundo fator foi adicionado',
      body: 'Um segundo fator foi adicionado à sua conta. Se não foi você, fale imediatamente com um administrador.',
      link: '',
    },
    second_factor_removed: {
      subject: 'Um segundo fator foi removido',
      body: 'Um segundo fator foi removido da sua conta. Se não foi você, fale imediatamente com um administrador.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Seus segundos fatores foram removidos',
      body: 'Todos os segundos fatores da sua conta foram removidos. Se você não pediu isso, fale imediatamente com um administrador.',
      link: '',
    },
    token_created: {
      subject: 'Um token de acesso pessoal foi criado',
      body: 'Um token de acesso pessoal foi criado para sua conta. Com ele, programas podem agir em seu nome. Se não foi você, fale imediatamente com um administrador.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'A maior parte do seu orçamento foi gasta',
      body: 'Pelo menos 80% do seu orçamento foi gasto. A página de uso mostra quanto resta e quando começa o próximo período.',
      link: '',
    },
    budget_reached: {
      subject: 'O limite do seu orçamento foi atingido',
      body: 'O saldo do seu orçamento não é suficiente para a próxima mensagem. A página de uso mostra quando começa o próximo período.',
      link: '',
    },
    own_export_ready: {
      subject: 'Seus dados estão prontos',
      body: 'A exportação dos seus dados está pronta. Entre para baixar o arquivo. Ele fica disponível por um dia. Se você não pediu isso, fale imediatamente com um administrador.',
      link: 'Abrir a página Seus dados',
    },
    own_export_ready_by_admin: {
      subject: 'Um administrador exportou seus dados para você',
      body: 'Um administrador pediu uma exportação dos seus dados. Só você pode baixar o arquivo: entre no prazo de um dia.',
      link: 'Abrir a página Seus dados',
    },
    bot_shared: {
      subject: 'Um bot foi compartilhado com você',
      body: 'Um bot foi compartilhado com você.',
      link: 'Abrir o bot',
    },
    prompt_shared: {
      subject: 'Um prompt foi compartilhado com você',
      body: 'Um prompt foi compartilhado com você.',
      link: 'Abrir o prompt',
    },
    project_shared: {
      subject: 'Um projeto foi compartilhado com você',
      body: 'Você foi adicionado a um projeto.',
      link: 'Abrir o projeto',
    },
    approval_wanted: {
      subject: 'Uma resposta aguarda a sua aprovação',
      body: 'Em um dos seus chats, uma resposta aguarda que você aprove ou negue o que uma ferramenta quer fazer.',
      link: 'Abrir o chat',
    },
    budget_threshold: {
      subject: 'Um orçamento está quase esgotado',
      body: 'Pelo menos 80% de um orçamento foi gasto.',
      link: 'Abrir os orçamentos',
    },
    budget_spent: {
      subject: 'Um orçamento está esgotado',
      body: 'O saldo de um orçamento não é suficiente para a próxima mensagem ou chamada.',
      link: 'Abrir os orçamentos',
    },
  },
};
