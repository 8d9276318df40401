/** “de” before a name, elided before a vowel: “de Paul”, “d’Ada”. A mute h looks like an aspirated one, so both keep “de”. */
export const ofName = (name: string): string => (/^[aeiouàâäæéèêëîïôöœùûü]/i.test(name) ? `d’${name}` : `de ${name}`);
