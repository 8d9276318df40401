import type { MailTexts } from './mail-texts.ts';

export const es: MailTexts = {
  greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  chosen: 'Ha recibido este correo porque activó las notificaciones por correo. Puede desactivarlas en la página «Cuenta».',
  mails: {
    email_verification: {
      subject: 'Confirme su dirección de correo electrónico',
      body: 'Abra el enlace para confirmar su dirección de correo electrónico. Si no ha creado una cuenta, ignore este correo.',
      link: 'Confirmar la dirección',
    },
    invitation: {
      subject: 'Invitación a Parlance',
      body: 'Un administrador le ha enviado una invitación. Abra el enlace para elegir una contraseña.',
      link: 'Aceptar la invitación',
    },
    password_reset: {
      subject: 'Elija una nueva contraseña',
      body: 'Abra el enlace para elegir una nueva contraseña. Si no lo ha solicitado, ignore este correo. Su contraseña seguirá siendo la misma.',
      link: 'Elegir una contraseña',
    },
    password_changed: {
      subject: 'Su contraseña ha cambiado',
      body: 'La contraseña de su cuenta ha cambiado. Si no ha sido usted, póngase en contacto de inmediato con un administrador.',
      link: '',
    },
    second_factor_added: {
      subject: 'Se agregó un segundo factor',
      body: 'Se agregó un segundo factor a su cuenta. Si no ha sido usted, póngase en contacto de inmediato con un administrador.',
      link: '',
    },
    second_factor_removed: {
      subject: 'Se quitó un segundo factor',
      body: 'Se quitó un segundo factor de su cuenta. Si no ha sido usted, póngase en contacto de inmediato con un administrador.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Se eliminaron sus segundos factores',
      body: 'Se eliminaron todos los segundos factores de su cuenta. Si no lo ha solicitado, póngase en contacto de inmediato con un administrador.',
      link: '',
    },
    token_created: {
      subject: 'Se creó un token de acceso personal',
      body: 'Se creó un token de acceso personal para su cuenta. Los programas pueden actuar en su nombre con él. Si no ha sido usted, póngase en contacto de inmediato con un administrador.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Ha gastado la mayor parte de su presupuesto',
      body: 'Se ha gastado al menos el 80 % de su presupuesto. La página de uso muestra cuánto queda y cuándo empieza el próximo período.',
      link: '',
    },
    budget_reached: {
      subject: 'Su presupuesto está agotado',
      body: 'Lo que queda de su presupuesto no es suficiente para el próximo mensaje. La página de uso muestra cuándo empieza el próximo período.',
      link: '',
    },
    own_export_ready: {
      subject: 'Sus datos están listos',
      body: 'La exportación de sus datos está lista. Inicie sesión para descargar el archivo, que se conserva durante un día. Si no la ha solicitado, póngase en contacto de inmediato con un administrador.',
      link: 'Abrir la página «Mis datos»',
    },
    own_export_ready_by_admin: {
      subject: 'Un administrador ha exportado sus datos para usted',
      body: 'Un administrador ha solicitado una exportación de sus datos para usted. Solo usted puede descargar el archivo: inicie sesión en el plazo de un día.',
      link: 'Abrir la página «Mis datos»',
    },
    bot_shared: {
      subject: 'Se compartió un bot con usted',
      body: 'Se compartió un bot con usted.',
      link: 'Abrir el bot',
    },
    prompt_shared: {
      subject: 'Se compartió un prompt con usted',
      body: 'Se compartió un prompt con usted.',
      link: 'Abrir el prompt',
    },
    project_shared: {
      subject: 'Se compartió un proyecto con usted',
      body: 'Se le agregó a un proyecto.',
      link: 'Abrir el proyecto',
    },
    approval_wanted: {
      subject: 'Una respuesta espera su aprobación',
      body: 'En uno de sus chats, una respuesta espera que apruebe o deniegue lo que quiere hacer una herramienta.',
      link: 'Abrir el chat',
    },
    budget_threshold: {
      subject: 'Un presupuesto está casi agotado',
      body: 'Se ha gastado al menos el 80 % de un presupuesto.',
      link: 'Abrir los presupuestos',
    },
    budget_spent: {
      subject: 'Un presupuesto está agotado',
      body: 'Lo que queda de un presupuesto no es suficiente para el próximo mensaje o la próxima llamada.',
      link: 'Abrir los presupuestos',
    },
  },
};
