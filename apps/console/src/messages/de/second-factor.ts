import type { secondFactor as English } from '../en/second-factor.ts';
import { plural } from '../plural.ts';

/** Texts of src/second-factor, and of the pages that show second factors. */
export const secondFactor: typeof English = {
  secondStepTitle: 'Zweiten Faktor eingeben',
  secondStepText: 'Ihr Passwort ist richtig. Ihr Konto ist zusätzlich durch einen zweiten Faktor geschützt.',
  stepEnded: 'Der zweite Schritt hat zu lange gedauert oder wurde bereits abgeschlossen. Geben Sie Ihr Passwort erneut ein.',
  beginAgain: 'Anmeldung neu beginnen',

  appCode: 'Code aus der Authenticator-App',
  appCodeHelp: 'Die sechs Ziffern, die die App gerade anzeigt.',
  appCodeIncomplete: 'Geben Sie die sechs Ziffern ein, die die App gerade anzeigt.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHelp: 'Einer der Codes, die Sie beim Hinzufügen Ihres zweiten Faktors gespeichert haben. Jeder funktioniert nur einmal.',
  use: { totp: 'Code aus der App nutzen', passkey: 'Passkey nutzen', recovery_code: 'Wiederherstellungscode nutzen' },
  wrongAppCode: 'Der Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten und prüfen Sie die Uhr des Geräts.',
  wrongRecoveryCode: 'Der Wiederherstellungscode ist falsch oder wurde bereits verwendet. Geben Sie einen anderen ein.',
  wrongPasskey: 'Der Passkey wurde nicht akzeptiert. Versuchen Sie es erneut, oder nutzen Sie einen anderen zweiten Faktor.',
  passkeyErrors: {
    NotAllowedError: 'Kein Passkey hat geantwortet. Beginnen Sie von vorn und bestätigen Sie, wenn der Browser fragt.',
    InvalidStateError: 'Dieses Gerät oder dieser Sicherheitsschlüssel hat bereits einen Passkey für Ihr Konto.',
    SecurityError:
      'Passkeys funktionieren unter dieser Adresse nicht. Öffnen Sie die Konsole unter der Adresse, die Sie von Ihrem Administrator haben.',
  },
  passkeyFailed: (reason) => `Der Browser konnte keinen Passkey nutzen: ${reason}`,
  signInByPasskey: 'Mit Passkey anmelden',
  stepUpTitle: 'Mit zweitem Faktor bestätigen',
  stepUpText: 'Für diese Aktion ist Ihr zweiter Faktor nötig. Danach werden Sie zehn Minuten lang nicht mehr gefragt.',
  confirm: 'Bestätigen',

  secondFactor: 'Zweiter Faktor',
  secondFactorText: 'Ein Passkey oder ein Code aus einer App auf Ihrem Telefon, zusätzlich zum Passwort.',
  noSecondFactor: 'Ihr Konto hat keinen zweiten Faktor. Für die Anmeldung genügt das Passwort.',
  addApp: 'Authenticator-App hinzufügen',
  goOn: 'Weiter',
  yourPassword: 'Ihr Passwort',
  yourPasswordHelp:
    'Nötig, solange Ihr Konto keinen zweiten Faktor hat. Sonst könnte eine andere Person in einem offen gelassenen Browser einen hinzufügen.',
  freshSignInText:
    'Um einem Konto ohne Passwort erstmals einen zweiten Faktor hinzuzufügen, muss Ihre Anmeldung weniger als zehn Minuten zurückliegen.',
  freshSignIn: (provider) => `Erneut mit ${provider} anmelden`,
  yourPasswordMissing: 'Geben Sie Ihr Passwort ein.',
  appSecretText:
    'Scannen Sie diesen Code mit Ihrer Authenticator-App, oder geben Sie den geheimen Schlüssel in der App ein. Geben Sie zur Bestätigung dann den Code ein, den die App anzeigt.',
  appQrCode: 'QR-Code für die Authenticator-App',
  appSecret: 'Geheimer Schlüssel',
  copySecret: 'Schlüssel kopieren',
  openApp: 'In einer Authenticator-App auf diesem Gerät öffnen',
  confirmApp: 'App bestätigen',
  appSecretLost: 'Die Antwort mit dem geheimen Schlüssel ist verloren gegangen. Beginnen Sie von vorn, um einen anderen zu erhalten.',
  appAdded: 'Authenticator-App hinzugefügt.',
  app: 'Authenticator-App',
  passkey: 'Passkey',
  addPasskey: 'Passkey hinzufügen',
  addPasskeyText:
    'Ein Passkey ist ein Schlüssel, der auf diesem Gerät, einem Telefon oder einem Sicherheitsschlüssel gespeichert wird. Er ist ein zweiter Faktor. Wenn er nach einer PIN oder einem Fingerabdruck fragt, können Sie sich damit auch ohne Passwort anmelden.',
  passkeyObstacles: {
    address:
      'Passkeys können nicht hinzugefügt werden: Sie brauchen einen Hostnamen, und diese Installation ist unter einer IP-Adresse geöffnet. Bitten Sie einen Administrator, publicBaseUrl festzulegen.',
    insecure: 'Passkeys können hier nicht hinzugefügt werden: Browser unterstützen sie nur über https oder auf localhost.',
    browser: 'Passkeys können hier nicht hinzugefügt werden: Dieser Browser unterstützt sie nicht.',
  },
  passkeyName: 'Name des Passkeys',
  passkeyNameHelp: 'Zum Beispiel der Name des Geräts. Er erscheint in der Liste Ihrer zweiten Faktoren.',
  passkeyNameMissing: 'Geben Sie einen Namen ein.',
  makePasskey: 'Passkey erstellen',
  passkeyAdded: 'Passkey hinzugefügt.',
  isBackedUp: 'mit einem Konto oder anderen Geräten synchronisiert',
  since: (time) => `Hinzugefügt am ${time}`,
  codesLeft: (n) => plural(n, { one: 'Noch {n} Wiederherstellungscode ist übrig.', other: 'Noch {n} Wiederherstellungscodes sind übrig.' }),
  newCodes: 'Neue Wiederherstellungscodes erstellen',
  newCodesTitle: 'Neue Wiederherstellungscodes erstellen?',
  newCodesText: 'Ihre bisherigen Wiederherstellungscodes werden ungültig.',
  recoveryCodes: 'Wiederherstellungscodes',
  recoveryCodesText:
    'Jeder Code funktioniert nur einmal anstelle Ihres zweiten Faktors, zum Beispiel wenn Sie Ihr Telefon verlieren. Die Codes werden nur jetzt angezeigt. Bewahren Sie sie an einem sicheren Ort auf, nicht auf dem Telefon.',
  copyCodes: 'Codes kopieren',
  downloadCodes: 'Codes herunterladen',
  codesKept: 'Ich habe die Codes gespeichert',
  removeApp: 'App entfernen',
  removeAppTitle: 'Authenticator-App entfernen?',
  removeAppText: 'Codes der App werden nicht mehr akzeptiert. Ihre anderen zweiten Faktoren bleiben erhalten.',
  removePasskey: 'Entfernen',
  removePasskeyNamed: (name) => `Passkey ${name} entfernen`,
  removePasskeyTitle: (name) => `Passkey ${name} entfernen?`,
  removePasskeyText:
    'Er wird nicht mehr akzeptiert. Ihre anderen zweiten Faktoren bleiben erhalten. Löschen Sie ihn auch auf dem Gerät, damit er nicht mehr angeboten wird.',
  removeLastText: 'Auch die Wiederherstellungscodes werden entfernt. Danach genügt für die Anmeldung das Passwort.',
  removeLastNeededText:
    'Auch die Wiederherstellungscodes werden entfernt. Eine Ihrer Gruppen verlangt einen zweiten Faktor. Um fortzufahren, müssen Sie daher einen anderen hinzufügen.',
  appRemoved: 'Authenticator-App entfernt.',
  passkeyRemoved: 'Passkey entfernt.',
  neededTitle: 'Ein zweiter Faktor ist erforderlich',
  neededText: 'Eine Ihrer Gruppen verlangt einen zweiten Faktor. Fügen Sie einen hinzu, um fortzufahren.',
  neededProofText: 'Eine Ihrer Gruppen verlangt in jeder Sitzung einen zweiten Faktor. Geben Sie Ihren ein, um fortzufahren.',
};
