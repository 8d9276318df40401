{{/* Refuses values that the schema cannot: those that contradict each other. Takes (root, name, settings). */}}
{{- define "parlance.checkService" -}}
{{- $config := .root.Values.config -}}
{{- with .settings -}}
{{- $leaving := add .preStopSleepSeconds (default 25 $config.shutdownGraceSeconds) }}
{{- if le (int .terminationGracePeriodSeconds) (int $leaving) }}
{{- fail (printf "%s: terminationGracePeriodSeconds has to exceed preStopSleepSeconds and config.shutdownGraceSeconds together (%d)" $.name $leaving) }}
{{- end }}
{{- if .autoscaling.enabled }}
{{- if gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas) }}
{{- fail (printf "%s: autoscaling.minReplicas (%d) exceeds autoscaling.maxReplicas (%d). Raise maxReplicas or lower minReplicas." $.name (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas)) }}
{{- end }}
{{- if not (dig "requests" "cpu" "" .resources) }}
{{- fail (printf "%s: autoscaling compares the CPU used with the CPU requested. Set resources.requests.cpu." $.name) }}
{{- end }}
{{- end }}
{{- $least := ternary .autoscaling.minReplicas .replicas .autoscaling.enabled }}
{{- if and (eq $.name "bots") $config.enableRagReplicas (lt (int $least) 2) }}
{{- fail "config.enableRagReplicas needs at least two replicas of the service bots" }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "parlance.checkIngress" -}}
{{- if and .Values.ingress.enabled (not .Values.config.trustedProxies) }}
{{- fail "ingress.enabled needs config.trustedProxies: the address ranges of the ingress controller's pods, such as [10.0.0.0/8]. Without them all callers have the controller's address, in limits, allowlists and the audit log." }}
{{- end }}
{{- end -}}

{{- define "parlance.checkCopies" -}}
{{- with .Values.config }}
{{- if and (lt (int .kafkaReplicationFactor) 2) (not .allowSingleBroker) }}
{{- fail "config.kafkaReplicationFactor is 1: a topic with one copy loses events with the disk of its broker. Set 3, or config.allowSingleBroker to accept this." }}
{{- end }}
{{- if gt (int .kafkaMinInsyncReplicas) (int .kafkaReplicationFactor) }}
{{- fail "config.kafkaMinInsyncReplicas exceeds config.kafkaReplicationFactor" }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "parlance.checkPorts" -}}
{{- if .Values.networkPolicy.enabled }}
{{- $open := list }}
{{- range .Values.networkPolicy.kafka.ports }}{{ $open = append $open (int .) }}{{ end }}
{{- range .Values.kafka.brokers }}
{{- $port := regexFind "[0-9]+$" . | int }}
{{- if not (has $port $open) }}
{{- fail (printf "networkPolicy.kafka.ports does not open the port of the broker %s. Add %d to it." . $port) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
