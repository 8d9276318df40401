import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

export type SwaggerUiFile = keyof typeof FILES;
export const SWAGGER_UI_FILES = Object.entries(FILES) as readonly (readonly [SwaggerUiFile, string])[];

/**
 * The files of Swagger UI that the page needs, from its package. They are read on the first request, because most edges never serve the
 * page.
 */
export class SwaggerUi {
  private readonly read = new Map<SwaggerUiFile, Promise<Buffer>>();

  file(name: SwaggerUiFile): Promise<Buffer> {
    const before = this.read.get(name);
    if (before) return before;
    const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    const reading = readFile(join(directory, name));
    this.read.set(name, reading);
    // A failure is not remembered.
    reading.catch(() => this.read.delete(name));
    return reading;
  }
}
