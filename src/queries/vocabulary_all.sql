SELECT DISTINCT w.lexeme
FROM sqlagent.{{table}} k, unnest(k.search) w
WHERE k.status = 'approved' OR k.status = 'proposed' AND k.proposed_by = $1
