SELECT DISTINCT w.lexeme
FROM sqlagent.rules k, unnest(k.search) w
WHERE k.status = 'approved' OR k.status = 'proposed' AND k.proposed_by = $1
