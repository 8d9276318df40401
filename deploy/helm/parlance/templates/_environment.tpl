{{/* The configuration that all services share. It stands in the pods' template, so that `kubectl rollout undo` brings back the earlier one. */}}
{{- define "parlance.configuration" -}}
{{- $fullname := include "parlance.fullname" . -}}
{{- $services := dict -}}
{{- range $name, $_ := .Values.services -}}
{{- $_ := set $services $name (printf "http://%s-%s:8080" $fullname $name) -}}
{{- end -}}
{{- $shared := dict
  "host" "0.0.0.0"
  "port" 8080
  "metricsPort" 9464
  "kafkaBrokers" .Values.kafka.brokers
  "services" $services
  "masterKeyFile" "/run/secrets/parlance/master-key"
  "publicBaseUrl" (include "parlance.publicBaseUrl" .)
  "logLevel" .Values.logLevel -}}
{{- with .Values.otlpEndpoint -}}
{{- $_ := set $shared "otlpEndpoint" . -}}
{{- end -}}
{{- range $key, $value := merge $shared .Values.config }}
- name: {{ include "parlance.variable" $key }}
  value: {{ include "parlance.environmentValue" $value }}
{{- end }}
{{- end -}}

{{/* The services that read each secret; the others do not get it. All six read the database and the master key. */}}
{{- define "parlance.readers" -}}
objectStore: [analytics, bots, inference]
models: [bots, inference]
oidcProviders: [identity]
smtpUrl: [identity]
knowledgeS3: [bots]
reranker: [bots]
retrievers: [bots]
internetSearch: [inference]
mcpServers: [inference]
guardrails: [inference]
{{- end -}}

{{/* Takes (variable, secret, key). */}}
{{- define "parlance.fromSecret" -}}
- name: {{ .variable }}
  valueFrom: { secretKeyRef: { name: {{ quote .secret }}, key: {{ quote .key }} } }
{{- end -}}

{{/* The secrets of one service. Takes (root, name, settings). */}}
{{- define "parlance.secrets" -}}
{{- $values := .root.Values -}}
{{- $mongo := default $values.mongo .settings.mongo -}}
{{ include "parlance.fromSecret" (dict "variable" "PARLANCE_MONGO_URI" "secret" $mongo.existingSecret "key" $mongo.key) }}
{{- with $values.kafka.security }}
{{- if .existingSecret }}
{{ include "parlance.fromSecret" (dict "variable" "PARLANCE_KAFKA_SECURITY" "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
{{- range $key, $services := include "parlance.readers" . | fromYaml }}
{{- with index $values $key }}
{{- if and .existingSecret (has $.name $services) }}
{{ include "parlance.fromSecret" (dict "variable" (include "parlance.variable" $key) "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.admin }}
{{- if and .existingSecret (eq $.name "identity") }}
{{ include "parlance.fromSecret" (dict "variable" "PARLANCE_ADMIN_EMAIL" "secret" .existingSecret "key" .emailKey) }}
{{ include "parlance.fromSecret" (dict "variable" "PARLANCE_ADMIN_PASSWORD" "secret" .existingSecret "key" .passwordKey) }}
{{- end }}
{{- end }}
{{- end -}}
