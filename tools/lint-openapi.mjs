// Lints a document with the OpenAPI linters that people use for their clients: redocly and spectral, with their recommended rules.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Spectral's number for an error. Warnings are about taste: descriptions beside summaries, a person to write to. */
const ERROR = 0;

/** Errors, a line each. */
export async function lintErrors(name, document) {
  const text = JSON.stringify(document);
  const config = await createConfig({ extends: ['recommended'] });
  const redocly = await lintFromString({ source: text, absoluteRef: `/${name}.json`, config });
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [rulesets.oas] });
  // A copy, since Spectral resolves references in what it is given.
  const found = await spectral.run(JSON.parse(text));
  return [
    ...redocly
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message, location: [at] }) => `${name}: redocly ${ruleId}: ${message} (${at?.pointer ?? '#'})`),
    ...found
      .filter(({ severity }) => severity === ERROR)
      .map(({ code, message, path }) => `${name}: spectral ${code}: ${message} (${path.join('/')})`),
  ];
}
