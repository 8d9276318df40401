export { Answers, Refuses, Summary, Takes } from './answers.ts';
export { assembleDocuments } from './assemble-documents.ts';
export { DOCUMENT_PATH, DocumentModule } from './document.module.ts';
export { withExamples } from './examples.ts';
export { type OpenApiDocument, serviceDocument } from './service-document.ts';
