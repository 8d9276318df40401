import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { EdgeModule } from './edge.module.ts';
import { DeploymentProbe } from './adapters/deployment-probe.ts';
import { AnswerCasing } from './http/casing/answer-casing.ts';
import { AnswerHeaders } from './http/answers/answer-headers.ts';
import { answerInTurn } from './http/answers/answers-in-turn.ts';
import { ClientAddress } from './http/addresses/client-address.ts';
import { ConnectionLimit } from './http/limits/connection-limit.ts';
import { ConsolePages } from './http/console/console-pages.ts';
import { installDocsPage } from './http/documents/docs-page.ts';
import { SignedFiles } from './http/files/signed-files.ts';
import { UPLOAD_LIMITS } from './http/files/upload-pace.ts';
import { AddressCheck } from './http/limits/address-check.ts';
import { installCallersPage } from './http/published/callers-page.ts';
import { RefusalForms } from './http/answers/refusal-forms.ts';
import { PublishedDocumentController } from './http/published/published-document.controller.ts';
import { FastPath } from './http/routing/fast-path.ts';
import { Gateway } from './http/routing/gateway.ts';
import { PublishedApis } from './http/routing/published-apis.ts';
import { schedule } from './schedule.ts';

export const edge: Service = {
  name: 'edge',
  handlers,
  module: (host) => EdgeModule.of(host),
  schedule,
  http: ({ config, objects }) => {
    const address = new ClientAddress(config.trustedProxies);
    const headers = new AnswerHeaders(config, new PublishedApis(config));
    return {
      facesClients: true,
      // The edge accepts no statements about the caller.
      statements: null,
      ...(objects.door && { longestBody: UPLOAD_LIMITS.longest }),
      addressOf: (request) => address.of(request.socket.remoteAddress ?? '', headerOf(request.headers['x-forwarded-for'])),
      headersOf: (request) => headers.of(request),
    };
  },
  install: (app, instance) => {
    app.get(FastPath).install(instance);
    app.get(ConnectionLimit).install(instance.server);
    answerInTurn(instance.server);
    // This is installed first, so that it also changes the refusals of later hooks.
    app.get(AnswerCasing).install(instance);
    app.get(RefusalForms).install(instance);
    app.get(AddressCheck).install(instance);
    installDocsPage(instance);
    app.get(ConsolePages).install(instance);
    installCallersPage(instance, app.get(PublishedDocumentController));
    app.get(SignedFiles).install(instance);
    app.get(Gateway).install(instance);
    app.get(DeploymentProbe).install(instance);
    app.get(PublishedApis).install(instance.server);
  },
};

const headerOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : value);
